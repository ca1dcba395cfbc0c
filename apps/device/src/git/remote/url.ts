import { parseRemoteUrl } from "@grove/schemas";

/** The repository behind a remote's URL. */
export interface HostedRepository {
  /** Without user name, password and token, except the user of ssh, which is needed. */
  url: string;
  owner: string;
  name: string;
}

/** The host that git would clone from, in lower case; undefined if the URL is not cloneable. */
export const cloneHost = (url: string): string | undefined => parseRemoteUrl(url)?.host;

/** The hosted repository that a remote's URL names; undefined for a path, a file: URL, plain http and the like. */
export function hostedRepository(remoteUrl: string): HostedRepository | undefined {
  const remote = parseRemoteUrl(remoteUrl);
  if (!remote) return undefined;
  const segments = remote.path
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter((segment) => segment !== "");
  const name = segments.pop();
  // Groups may be nested (GitLab), and a private server may have none at all.
  const owner = segments.join("/") || "git";
  return name === undefined ? undefined : { url: remote.url, owner, name };
}
