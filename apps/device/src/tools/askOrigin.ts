import type { WorkspaceRequest } from "@grove/schemas";
import { readRefs } from "../git/refs";
import { branchesAtOrigin, fetchBranch } from "../git/remote";
import type { LocalProject } from "../store";
import type { WorkspaceParts } from "./parts";
import type { WorkContext } from "./tool";

/** What `origin` says of the branches that were asked for. */
export interface AtOrigin {
  branches: readonly string[];
  asked: boolean;
}

/**
 * Asks `origin` which of the branches that are named in the request it has. One that is to be checked out is fetched.
 * The agent's own clone has just been fetched whole.
 */
export async function askOrigin(
  { git }: WorkspaceParts,
  { path, cloned }: LocalProject,
  requests: readonly WorkspaceRequest[],
  { signal, progress }: WorkContext,
): Promise<AtOrigin> {
  const named = requests.flatMap(({ branchName, existingBranch }) => branchName ?? existingBranch ?? []);
  if (cloned || named.length === 0) return { branches: [], asked: true };
  progress("Asking origin for its branches");
  const branches = await branchesAtOrigin(git, path, named, signal);
  if (branches === undefined) return { branches: [], asked: false };
  const refs = await readRefs(git, path);
  for (const { existingBranch = "" } of requests)
    if (branches.includes(existingBranch) && !refs.has(`refs/remotes/origin/${existingBranch}`))
      await fetchBranch(git, path, existingBranch, signal);
  return { branches, asked: true };
}
