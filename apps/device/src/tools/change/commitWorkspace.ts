import type { DeviceToolParams, DeviceToolResult } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../../errors";
import {
  alignIndex,
  COMMIT_HOOKS,
  COMMITTED_WORKTREE,
  commitSnapshot,
} from "../../git/change/commitSnapshot";
import { findHooks } from "../../git/change/hooks";
import { type Snapshot, withSnapshot } from "../../git/points/snapshot";
import { treeOf } from "../../git/points/writePoint";
import { currentCommit } from "../../git/refs";
import { exitsWithZero } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { readConfig } from "../../home/config";
import { findWorkspace } from "../../home/workspaces";
import { endInheritors } from "../../sessions/process/processes";
import type { RecoveryContext, Tool, ToolContext } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { requireBranch, requireNoOperation } from "./guards";
import { savePointIfOn } from "./savePointIfOn";

type Params = DeviceToolParams<"commit_workspace">;

/** The notes in the journal: before the hooks run, and when the commit is stored but on no branch. */
const beginningNote = z.object({ committingIn: z.string() });
const storedNote = z.object({ stored: z.string() });

/** commit_workspace: commits all files of a worktree. Its index stays as it is until the commit is on the branch. */
export const commitWorkspaceTool = (deps: ToolDeps): Tool<"commit_workspace"> => ({
  async run(params, context) {
    const { path } = await findWorkspace(deps, params.workspaceId);
    return deps.locks.run(path, () => commit(deps, params, context), context.signal);
  },
  recover: (notes, context) => recoverCommit(deps, notes, context),
});

async function commit(
  deps: ToolDeps,
  params: Params,
  context: ToolContext,
): Promise<DeviceToolResult<"commit_workspace">> {
  const workspace = await findWorkspace(deps, params.workspaceId);
  const worktree = await openWorkspace(deps, workspace);
  await requireNoOperation(worktree);
  const branch = await requireBranch(worktree);
  const hooks = await findHooks(worktree, COMMIT_HOOKS, await readConfig(deps.home));
  await context.note({ committingIn: workspace.id });
  const head = await currentCommit(worktree.git, worktree.path);
  const { signal, progress } = context;
  const stored = (id: string) => context.note({ stored: id });
  const work = async (snapshot: Snapshot) => {
    await requireExpected(worktree, snapshot, head, params.expectTree);
    await savePointIfOn(deps, worktree, workspace, signal);
    const contents = { snapshot, hooks, head, message: params.message };
    const made = await commitSnapshot(worktree, contents, { signal, progress, stored });
    return { ...made, skipped: snapshot.skipped };
  };
  const made = await withSnapshot(worktree, signal, work, { withoutMarked: true });
  return { ...made, branch, skippedHooks: hooks.skipped };
}

/** @throws {CommandFailure} `conflicts`, `tree_changed`, `nothing_to_commit` */
async function requireExpected(
  { git }: OpenWorktree,
  { tree, staged }: Snapshot,
  head: string | undefined,
  expectTree: string | undefined,
): Promise<void> {
  if (staged === null)
    throw new CommandFailure(
      "conflicts",
      "The workspace has files with unresolved conflicts. Resolve them and `git add` them, then try again.",
    );
  if (expectTree !== undefined && tree !== expectTree)
    throw new CommandFailure(
      "tree_changed",
      "The files have changed since they were shown. Check the changes, then commit again.",
    );
  const empty = head === undefined ? undefined : await treeOf(git, head);
  if (tree === empty)
    throw new CommandFailure("nothing_to_commit", "Nothing to commit: all files are as in the last commit.");
}

/** Reads whether the branch has the commit. The files of the worktree are the same in both cases. */
async function recoverCommit(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: RecoveryContext,
): Promise<string> {
  const begun = notes.map((note) => beginningNote.safeParse(note).data).find((note) => note !== undefined);
  const workspace = begun && (await deps.store.workspace(begun.committingIn));
  if (!workspace) return "Nothing was committed.";
  // Hooks that have outlived the agent must not work on a commit that no longer will be made.
  await endInheritors(`${COMMITTED_WORKTREE}=${workspace.path}`);
  const stored = notes
    .map((note) => storedNote.safeParse(note).data)
    .find((note) => note !== undefined)?.stored;
  if (stored === undefined) return "Nothing was committed.";
  return deps.locks.run(
    workspace.path,
    async () => {
      const worktree = await openWorkspace(deps, workspace);
      const { git } = worktree;
      // A commit that git has not written completely does not exist.
      const isMade = await exitsWithZero(git(["cat-file", "-e", stored], { signal }))
        .then((exists) => exists && exitsWithZero(git(["merge-base", "--is-ancestor", stored, "HEAD"])))
        .catch(() => false);
      if (!isMade) return "Nothing was committed.";
      await alignIndex(worktree, stored, signal);
      return `The commit ${stored} was made.`;
    },
    signal,
  );
}
