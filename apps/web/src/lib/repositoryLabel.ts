import type { Project } from "@grove/schemas";

type Repository = Pick<Project, "repoUrl" | "repoOwner" | "repoName">;

/** Returns the owner and the name of a hosted repository, or the directory of a local one, which has no owner. */
export function repositoryLabel({ repoUrl, repoOwner, repoName }: Repository): string {
  if (!repoUrl.startsWith("file:") || !URL.canParse(repoUrl)) return `${repoOwner}/${repoName}`;
  const { pathname } = new URL(repoUrl);
  try {
    return decodeURIComponent(pathname);
  } catch {
    // A percent sign that encodes nothing.
    return pathname;
  }
}
