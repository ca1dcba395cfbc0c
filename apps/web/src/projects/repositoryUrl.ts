import { parseRemoteUrl } from "@grove/schemas";

/** A repository, parsed from its URL. */
export interface Repository {
  repoUrl: string;
  repoOwner: string;
  repoName: string;
}

/** A URL without a scheme, as browsers display it: host, owner and name. */
const BARE = /^[\w-]+(\.[\w-]+)+\/[^\s:@]+$/;
/** The suffix of a page below a repository at a code host. */
const PAGE = /\/(-\/|tree\/|blob\/|pulls?\b|issues\b|commits?\/|merge_requests\b).*$/;

/**
 * Parses the URL of a repository: https, ssh or `user@host:path`, or the URL of its page at a code host. Removes
 * credentials.
 * @returns undefined if git could not clone from it
 */
export function parseRepositoryUrl(given: string): Repository | undefined {
  // A page's URL may have a query and a fragment, which git would not understand.
  const text = given.trim();
  const address = (BARE.test(text) ? `https://${text}` : text).replace(/^(https:[^?#]*)[?#].*$/, "$1");
  const parsed = parseRemoteUrl(address);
  if (!parsed) return undefined;
  const isWeb = parsed.url.startsWith("https:");
  const path = (isWeb ? parsed.path.replace(PAGE, "") : parsed.path).replace(/\/+$/, "");
  const parts = path
    .replace(/^~?\/+/, "")
    .split("/")
    .filter(Boolean);
  const repoName = parts.pop()?.replace(/\.git$/, "");
  if (!repoName || (isWeb && parts.length === 0)) return undefined;
  const repoUrl = isWeb ? new URL(encodeURI(path), parsed.url).href : parsed.url.replace(/\/+$/, "");
  return { repoUrl, repoOwner: parts.join("/") || "git", repoName };
}

/** Returns the path in a `file:` URL, and any other text unchanged. */
export const pathOf = (text: string): string => text.trim().replace(/^file:\/\/(?=\/)/, "");

/** Whether a text is the path of a directory instead of a URL. */
export const isPath = (text: string): boolean => /^(\/|~(\/|$))/.test(pathOf(text));
