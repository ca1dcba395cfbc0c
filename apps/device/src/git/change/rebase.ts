import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeoutSignal } from "@grove/signals";
import { type Git, GitError, UNCANCELED_MS } from "../run";
import { commitFailure } from "./userCommit";

/**
 * Rebases commits in a temporary worktree, so that neither a branch nor a workspace changes.
 * @param repository the main work tree
 * @returns the last rebased commit, or the files in conflict
 * @throws {CommandFailure} `identity_missing`, `signing_failed`
 */
export async function computeRebase(
  git: Git,
  repository: string,
  { head, onto }: { head: string; onto: string },
  signal: AbortSignal,
): Promise<{ commit: string } | { conflicts: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), "grove-rebase-"));
  const path = join(directory, "tree");
  const run: Git = (args, options) => git(args, { cwd: path, signal, ...options });
  try {
    await git(["worktree", "add", "--quiet", "--detach", "--", path, head], { cwd: repository, signal });
    try {
      const config = ["-c", "rebase.autoStash=false", "-c", "rebase.updateRefs=false"];
      await run([...config, "-c", "user.useConfigOnly=true", "rebase", "--quiet", onto]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const listed = await run(["diff", "--name-only", "--diff-filter=U", "-z"]);
      const conflicts = listed.split("\0").filter((name) => name !== "");
      if (conflicts.length === 0) throw commitFailure(error, error.stderr.includes("failed to sign"));
      return { conflicts };
    }
    return { commit: (await run(["rev-parse", "--verify", "HEAD"])).trim() };
  } finally {
    const options = { cwd: repository, signal: timeoutSignal(UNCANCELED_MS) };
    await git(["worktree", "remove", "--force", "--force", "--", path], options).catch(() => {});
    await rm(directory, { recursive: true, force: true });
  }
}
