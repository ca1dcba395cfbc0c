import { CommandFailure } from "../../errors";
import { isCommit, type Refs, readRefs, withoutOrigin } from "../refs";
import type { Git } from "../run";

/** The local branch of a workspace's base. Undefined if the base is a commit, or its branch exists only at a remote. */
export function localBase(refs: Refs, baseBranch: string): { branch: string; commit: string } | undefined {
  if (isCommit(baseBranch)) return undefined;
  const branch = withoutOrigin(refs, baseBranch);
  const commit = refs.get(`refs/heads/${branch}`);
  return commit === undefined ? undefined : { branch, commit };
}

/** @throws {CommandFailure} `base_gone` */
export async function requireLocalBase(
  git: Git,
  repository: string,
  baseBranch: string,
): Promise<{ branch: string; commit: string }> {
  return localBase(await readRefs(git, repository), baseBranch) ?? Promise.reject(baseGone(baseBranch));
}

export const baseGone = (base: string): CommandFailure =>
  new CommandFailure(
    "base_gone",
    `The base "${base}" is no branch of the repository, or shares no history with the workspace. Create it again, or merge by hand.`,
  );
