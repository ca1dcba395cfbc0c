import type { Git } from "../run";
import type { Rescue } from "./rescue";

/**
 * Brings the work of a deleted workspace back as a branch. Uncommitted work becomes the branch's last commit.
 * @param directory where the branch is checked out; only the branch is made if undefined
 */
export async function bringBack(
  git: Git,
  repository: string,
  { commit, head, uncommitted }: Rescue,
  { branch, directory }: { branch: string; directory: string | undefined },
): Promise<void> {
  const start = uncommitted || head === undefined ? commit : head;
  const options = { cwd: repository };
  if (directory === undefined) await git(["branch", "--quiet", "--no-track", "--", branch, start], options);
  else await git(["worktree", "add", "--quiet", "--no-track", "-b", branch, "--", directory, start], options);
}
