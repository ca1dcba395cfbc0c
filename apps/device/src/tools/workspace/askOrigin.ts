import type { WorkspaceRequest } from "@grove/schemas";
import { knowsBase, type Refs, readRefs } from "../../git/refs";
import { branchesAtOrigin, fetchBranch, OriginError } from "../../git/remote";
import type { WorkspaceDeps } from "../deps";
import type { FoundRepository } from "../repository";
import type { WorkContext } from "../tool";

/** The state of the requested branches at `origin`. */
export interface AtOrigin {
  /** The branches that `origin` has now, fetched or not. */
  branches: readonly string[];
  /** Whether `origin` answered. */
  asked: boolean;
  /** The reason for a failure, as a sentence. */
  trouble?: string | undefined;
}

/**
 * Asks `origin` which of the requested branches it has. Branches and bases that worktrees need and that are missing
 * here are fetched. The agent's own clone is not asked about, since it has just been fetched as a whole.
 */
export async function askOrigin(
  { git, locks }: WorkspaceDeps,
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
    // One after another: a command that waits here also finds the branches that earlier ones have fetched.
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

/** The branches that worktrees are to be made from and that are not known here. */
const toFetch = (refs: Refs, requests: readonly WorkspaceRequest[]): string[] =>
  requests.flatMap(({ existingBranch, baseBranch }) => {
    if (existingBranch !== undefined)
      return refs.has(`refs/remotes/origin/${existingBranch}`) ? [] : [existingBranch];
    return baseBranch === undefined || knowsBase(refs, baseBranch)
      ? []
      : [baseBranch.replace(/^origin\//, "")];
  });
