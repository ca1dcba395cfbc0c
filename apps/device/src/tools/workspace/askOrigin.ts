import type { WorkspaceRequest } from "@grove/schemas";
import { knowsBase, type Refs, readRefs } from "../../git/refs";
import { branchesAtOrigin, fetchBranch, OriginError } from "../../git/remote";
import type { WorkspaceParts } from "../deps";
import type { FoundRepository } from "../repository";
import type { WorkContext } from "../tool";

/** What `origin` says of the branches that were asked for. */
export interface AtOrigin {
  /** Those of them that it has now, fetched or not. */
  branches: readonly string[];
  /** Whether it could be asked. */
  asked: boolean;
  /** What went wrong with it, as a sentence. */
  trouble?: string | undefined;
}

/**
 * Asks `origin` which of the branches that are named in the requests it has. What a worktree is to be made from, and
 * this repository does not know, is fetched. The agent's own clone has just been fetched whole.
 */
export async function askOrigin(
  { git, locks }: WorkspaceParts,
  { path, cloned, notFetched }: FoundRepository,
  requests: readonly WorkspaceRequest[],
  { signal, progress }: WorkContext,
): Promise<AtOrigin> {
  if (cloned) return { branches: [], asked: notFetched === undefined, trouble: notFetched };
  const named = requests.flatMap(({ branchName, existingBranch }) => branchName ?? existingBranch ?? []);
  const wanted = [...new Set([...named, ...toFetch(await readRefs(git, path), requests)])];
  if (wanted.length === 0) return { branches: [], asked: true };
  progress("Asking origin for its branches");
  const answer: AtOrigin = { branches: [], asked: false };
  try {
    answer.branches = await branchesAtOrigin(git, path, wanted, signal);
    answer.asked = true;
    // One after another: whoever waits here finds fetched what others have waited for, too.
    const fetchMissing = async () => {
      for (const branch of toFetch(await readRefs(git, path), requests))
        if (answer.branches.includes(branch)) await fetchBranch(git, path, branch, progress, signal);
    };
    await locks.run(`origin of ${path}`, fetchMissing, signal);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    answer.trouble = error.message;
  }
  return answer;
}

/** The branches that worktrees are to be made from, and that are not known here. */
const toFetch = (refs: Refs, requests: readonly WorkspaceRequest[]): string[] =>
  requests.flatMap(({ existingBranch, baseBranch }) => {
    if (existingBranch !== undefined)
      return refs.has(`refs/remotes/origin/${existingBranch}`) ? [] : [existingBranch];
    return baseBranch === undefined || knowsBase(refs, baseBranch)
      ? []
      : [baseBranch.replace(/^origin\//, "")];
  });
