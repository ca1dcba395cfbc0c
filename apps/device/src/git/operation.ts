import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isThere } from "../lib/fileSystem";
import { readSmallFile } from "./smallFile";

/** An operation of git that has been begun in a worktree and not ended. */
export interface Operation {
  kind: "rebase" | "merge" | "cherry-pick" | "revert" | "bisect" | "am";
  /** The branch that the operation will move or return to, although HEAD is detached. */
  branch: string | undefined;
}

/** The operation that is in progress in a worktree, according to the files in its git directory. */
export async function readOperation(gitDir: string): Promise<Operation | undefined> {
  const line = async (file: string) => (await readSmallFile(join(gitDir, file)))?.trim();
  const has = (file: string) => isThere(join(gitDir, file));
  for (const directory of ["rebase-merge", "rebase-apply"])
    if (await has(directory)) {
      const branch = branchOf(await line(join(directory, "head-name")));
      return { kind: (await has(join(directory, "applying"))) ? "am" : "rebase", branch };
    }
  if (await has("BISECT_LOG")) return { kind: "bisect", branch: branchOf(await line("BISECT_START"), true) };
  if (await has("MERGE_HEAD")) return { kind: "merge", branch: undefined };
  if (await has("CHERRY_PICK_HEAD")) return { kind: "cherry-pick", branch: undefined };
  if (await has("REVERT_HEAD")) return { kind: "revert", branch: undefined };
  return undefined;
}

/** A branch's name from a full ref; a bisect records a short one. */
function branchOf(ref: string | undefined, isShort = false): string | undefined {
  if (ref?.startsWith("refs/heads/")) return ref.slice("refs/heads/".length);
  return isShort && ref !== undefined && !/^[0-9a-f]{40,64}$/.test(ref) ? ref : undefined;
}

/**
 * Finds the worktree in which a branch is being rebased or bisected. HEAD is detached there, so git does not list the
 * branch, but it refuses to check it out elsewhere.
 */
export async function findOperationOn(
  commonDir: string,
  branch: string,
): Promise<{ path: string; kind: Operation["kind"] } | undefined> {
  const linked = join(commonDir, "worktrees");
  const names = await readdir(linked).catch(() => []);
  for (const gitDir of [commonDir, ...names.map((name) => join(linked, name))]) {
    const operation = await readOperation(gitDir);
    if (operation?.branch !== branch) continue;
    const link = (await readSmallFile(join(gitDir, "gitdir")))?.trim() ?? gitDir;
    return { path: dirname(link), kind: operation.kind };
  }
  return undefined;
}
