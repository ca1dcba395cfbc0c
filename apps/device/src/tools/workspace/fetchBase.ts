import { isCommit, isOfRemote, readRefs, withoutOrigin } from "../../git/refs";
import { fetchBranch, OriginError } from "../../git/remote/remote";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { WorkContext } from "../../tool";

/** Fetches a base branch. If origin cannot be reached, its last fetched state counts. */
export async function fetchBase(
  { git, path }: Pick<OpenWorktree, "git" | "path">,
  base: string,
  { signal, progress, log }: Pick<WorkContext, "signal" | "progress" | "log">,
): Promise<void> {
  if (isCommit(base)) return;
  const refs = await readRefs(git, path);
  const branch = withoutOrigin(refs, base);
  if (!isOfRemote(refs.keys(), `origin/${branch}`)) return;
  try {
    await fetchBranch(git, path, branch, progress, signal);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    log.warn({ err: error }, "using the last fetched state of the base");
    progress(error.message);
  }
}
