/** What a remote's URL says about the repository behind it. */
export interface HostedRepository {
  /** Without user name, password and token (except the user of ssh, without which it does not work). */
  url: string;
  owner: string;
  name: string;
}

/** `user@host:path`, the form that scp and git know. A double colon would name a transport helper (`ext::`). */
const SCP_FORM = /^(?:(?<user>\w[\w.-]*)@)?(?<host>\w[\w.-]+|\[[\da-f:]+\]):(?!:|\/\/)(?<path>[^-].*)$/i;
const SSH_USER = /^\w[\w.-]*$/;

interface Remote {
  url: string;
  host: string;
  path: string;
  /** Whether the URL as given holds credentials. */
  credentials: boolean;
}

function parse(given: string): Remote | undefined {
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
  const remote = parse(url);
  return remote !== undefined && !remote.credentials;
}

/** The host that git would clone from, in lower case; undefined for what is no such address. */
export const cloneHost = (url: string): string | undefined => parse(url)?.host;

/** The hosted repository that a remote's URL names; undefined for a path, a file: URL, plain http and the like. */
export function hostedRepository(remoteUrl: string): HostedRepository | undefined {
  const remote = parse(remoteUrl);
  if (!remote) return undefined;
  const segments = remote.path
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter((segment) => segment !== "");
  const name = segments.pop();
  // Groups may lie in groups (GitLab), and a server of one's own may have none at all.
  const owner = segments.join("/") || "git";
  return name === undefined ? undefined : { url: remote.url, owner, name };
}
