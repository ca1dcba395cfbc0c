import { parseRemoteUrl } from "@grove/schemas";

/** A repository, as its address describes it. */
export interface Repository {
  repoUrl: string;
  repoOwner: string;
  repoName: string;
}

/** An address as browsers show it: a host, an owner and a name, without a scheme. */
const BARE = /^[\w-]+(\.[\w-]+)+\/[^\s:@]+$/;
/** The part that code hosts append to the address of a repository when a person looks at a part of it. */
const PAGE = /\/(-\/|tree\/|blob\/|pulls?\b|issues\b|commits?\/|merge_requests\b).*$/;

/**
 * Reads the address of a repository: https, ssh or `user@host:path`, or the address of its page at a code host.
 * Credentials are left out.
 * @returns undefined if git could not clone from it
 */
export function readAddress(given: string): Repository | undefined {
  // A page's address may have a query and a fragment. An address for git has neither.
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

const MAX_SLUG = 60;

/** A slug for a project with this name: lower-case ASCII words with hyphens; empty if nothing is left. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, "");
