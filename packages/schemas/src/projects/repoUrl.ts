import { line } from "../values";

/**
 * `user@host:path`, the form of scp and git. A double colon would name a transport helper (`ext::`). Without a user the
 * host needs a dot: `javascript:x` and `C:x` are something else.
 */
const SCP_FORM =
  /^(?:\w[\w.-]*@(?=[\w[])|(?=\w[\w-]*\.\w))(?<host>\w[\w.-]*|\[[\da-f:]+\]):(?!:|\/\/)(?<path>[^-].*)$/i;
const SSH_USER = /^\w[\w.-]*$/;

/** The parts of a remote's URL. */
export interface RemoteUrl {
  /** Without user name, password and token. An ssh URL keeps its user, since it does not work without one. */
  url: string;
  /** The host in lower case. */
  host: string;
  path: string;
  /** Whether the given URL contained credentials. */
  credentials: boolean;
}

/**
 * Parses an https or ssh URL or the scp form; returns undefined for everything else. Rejects an address that git might
 * parse differently: git must contact the host that was checked.
 */
export function parseRemoteUrl(given: string): RemoteUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression looks for them.
  if (/[\s\\\u0000-\u001f\u007f]/.test(given) || given.startsWith("-")) return undefined;
  if (!given.includes("://")) {
    const { path, host } = SCP_FORM.exec(given)?.groups ?? {};
    return path === undefined || host === undefined
      ? undefined
      : { url: given, host: host.toLowerCase(), path, credentials: false };
  }
  if (/[?#]/.test(given) || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (!isUnchanged(given, url)) return undefined;
  const { username, password } = url;
  // git decodes the host of an ssh URL, which the URL parser leaves encoded.
  if (!/^\[?\w[^%]*$/.test(url.hostname)) return undefined;
  url.password = "";
  if (url.protocol === "https:") url.username = "";
  else if (url.protocol !== "ssh:" || (username !== "" && !SSH_USER.test(username))) return undefined;
  const credentials = password !== "" || (url.protocol === "https:" && username !== "");
  const path = decoded(url.pathname);
  return path === undefined
    ? undefined
    : { url: url.href, host: url.hostname.toLowerCase(), path, credentials };
}

/** Whether parsing changed a URL only in case or by a final slash: nothing was repaired, encoded or resolved. */
function isUnchanged(given: string, { href }: URL): boolean {
  const normalize = (url: string) => url.toLowerCase().replace(/\/$/, "");
  return normalize(given) === normalize(href);
}

/** Undefined if a `%` is not followed by a valid encoded byte. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Whether git may clone from here: https, ssh or the scp form, without credentials. */
export function isCloneUrl(url: string): boolean {
  const remote = parseRemoteUrl(url);
  return remote !== undefined && !remote.credentials;
}

const isDirectory = (url: string) =>
  URL.canParse(url) && new URL(url).protocol === "file:" && new URL(url).host === "";

/**
 * A clone URL: https, ssh or the scp form, without credentials, since all members see it. A `file:` URL names a
 * repository that only one device has; only that device may set it. Messages never repeat the URL.
 */
export const repoUrl = line(2000).refine(
  (url) => isCloneUrl(url) || isDirectory(url),
  "must be an https, ssh or user@host:path address, without user name, password or token",
);
