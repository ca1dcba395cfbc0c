import type { ReadFile } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { readContent } from "../../files/content";
import { openInside } from "../../files/openInside";
import { GitError } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** git's copy of a file goes through memory as a whole. */
const MAX_COMMITTED_BYTES = 15 * 1024 * 1024;

/** read_file: reads a part of a file of the worktree, or of one of its commits. */
export const readFileTool = (deps: ToolDeps): Tool<"read_file"> => ({
  async run({ workspaceId, path, commit, offset }, { signal }) {
    const tree = await openWorkspace(deps, await findWorkspace(deps, workspaceId));
    return commit === undefined
      ? readInWorktree(tree, path, offset)
      : readInCommit(tree, `${commit}:${path}`, offset, signal);
  },
});

async function readInWorktree({ path: root }: OpenWorktree, path: string, offset: number): Promise<ReadFile> {
  const file = await openInside(root, path);
  try {
    const { size } = await file.stat();
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    return await readContent({ size, read }, offset);
  } finally {
    await file.close();
  }
}

/** @param object a blob as git names it, such as `<commit>:<path>` */
async function readInCommit(
  { git }: OpenWorktree,
  object: string,
  offset: number,
  signal: AbortSignal,
): Promise<ReadFile> {
  try {
    const size = Number(await git(["cat-file", "-s", object], { signal }));
    const cat = ["cat-file", "blob", object];
    const content = await git(cat, { signal, encoding: "latin1", enoughBytes: MAX_COMMITTED_BYTES });
    const bytes = Buffer.from(content, "latin1");
    return await readContent(
      { size, read: async (from, length) => bytes.subarray(from, from + length) },
      offset,
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new CommandFailure("file_not_found", `git has no file ${object}.`);
  }
}
