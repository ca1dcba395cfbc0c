import { line } from "./values";

/** `user@host:path`, the form that scp and git know. A double colon would name a transport helper (`ext::`). */
const SCP_FORM = /^(?:(?<user>\w[\w.-]*)@)?(?<host>\w[\w.-]+|\[[\da-f:]+\]):(?!:|\/\/)(?<path>[^-].*)$/i;
const SSH_USER = /^\w[\w.-]*$/;

/** A remote's URL, taken apart. */
export interface RemoteUrl {
  /** Without user name, password and token (except the user of ssh, without which it does not work). */
  url: string;
  /** In lower case. */
  host: string;
  path: string;
  /** Whether the URL as given holds credentials. */
  credentials: boolean;
}

/** Takes an https or ssh URL or the scp form apart; undefined for everything else. */
export function parseRemoteUrl(given: string): RemoteUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\s\u0000-\u001f\u007f]/.test(given) || given.startsWith("-")) return undefined;
  if (!given.includes("://")) {
    const { path, host } = SCP_FORM.exec(given)?.groups ?? {};
    return path === undefined || host === undefined
      ? undefined
      : { url: given, host: host.toLowerCase(), path, credentials: false };
  }
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const { username, password } = url;
  if (!/^\[?\w/.test(url.hostname)) return undefined;
  url.password = "";
  if (url.protocol === "https:") url.username = "";
  else if (url.protocol !== "ssh:" || (username !== "" && !SSH_USER.test(username))) return undefined;
  const credentials = password !== "" || (url.protocol === "https:" && username !== "");
  const path = decoded(url.pathname);
  return path === undefined
    ? undefined
    : { url: url.href, host: url.hostname.toLowerCase(), path, credentials };
}

/** Undefined for a `%` that begins no byte of a character. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Whether git may be told to clone from here: https, ssh or the scp form, without credentials in it. */
export function isCloneUrl(url: string): boolean {
  const remote = parseRemoteUrl(url);
  return remote !== undefined && !remote.credentials;
}

const isDirectory = (url: string) =>
  URL.canParse(url) && new URL(url).protocol === "file:" && new URL(url).host === "";

/**
 * An https, ssh or scp-form clone URL without credentials, since all members see it; or the `file:` URL of a repository
 * that lives on one device only, which that device alone may name. Messages never repeat it.
 */
export const repoUrl = line(2000).refine(
  (url) => isCloneUrl(url) || isDirectory(url),
  "must be an https, ssh or user@host:path address, without user name, password or token",
);
