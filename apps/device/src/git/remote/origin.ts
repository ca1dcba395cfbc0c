import { userInfo } from "node:os";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultBranchOf } from "../refs";
import { type Git, GitError } from "../run";
import { cloneHost, hostedRepository } from "./url";

/** A repository as a project describes it. */
export interface RepositoryFields {
  repoOwner: string;
  repoName: string;
  repoUrl: string;
  defaultBranch: string;
}

/**
 * Describes where a repository on this machine comes from. That is its remote `origin` without credentials if that is
 * hosted, otherwise the directory itself as a file: URL.
 */
export async function describeRepository(git: Git, path: string): Promise<RepositoryFields> {
  const defaultBranch = await defaultBranchOf(git, path);
  const remote = await git(["remote", "get-url", "origin"], { cwd: path }).catch((error) => {
    if (error instanceof GitError) return "";
    throw error;
  });
  const hosted = hostedRepository(remote.trim());
  if (hosted) return { repoOwner: hosted.owner, repoName: hosted.name, repoUrl: hosted.url, defaultBranch };
  return {
    repoOwner: localUser(),
    repoName: oneLine(basename(path)) || "repository",
    repoUrl: pathToFileURL(path).href,
    defaultBranch,
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 200);

function localUser(): string {
  try {
    return oneLine(userInfo().username) || "local";
  } catch {
    // A container may run as a user without a name.
    return "local";
  }
}

/** Whether two clone URLs name the same repository: over https or ssh, with or without `.git`. */
export function isSameRepository(one: string, other: string): boolean {
  return one === other || (placeOf(one) !== undefined && placeOf(one) === placeOf(other));
}

function placeOf(url: string): string | undefined {
  const hosted = hostedRepository(url);
  return hosted && `${cloneHost(url)}/${hosted.owner}/${hosted.name}`.toLowerCase();
}
