import { type DeviceToolParams, type DeviceToolResult, messageOf } from "@grove/schemas";
import * as z from "zod";
import { baseGone } from "../../git/change/baseCommit";
import { inConflict, mergeTree } from "../../git/change/mergeTree";
import { moveWorktree } from "../../git/change/moveWorktree";
import { computeRebase } from "../../git/change/rebase";
import { writeUserCommit } from "../../git/change/userCommit";
import { comparedBase } from "../../git/compareBase";
import { RESTORED_WORKTREE, restore } from "../../git/points/restore";
import { currentCommit, isCommit } from "../../git/refs";
import { exitsWithZero } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import { endInheritors } from "../../sessions/process/processes";
import type { RecoveryContext, Tool, ToolContext } from "../../tool";
import type { ToolDeps } from "../deps";
import { fetchBase } from "../workspace/fetchBase";
import { openWorkspace, repositoryOf } from "../workspace/openWorkspace";
import { pointsOff } from "../workspace/pointsOff";
import { requireIdle } from "../workspace/requireIdle";
import { requireBranch, requireClean, requireHead, requireNoOperation } from "./guards";
import { savePointIfOn } from "./savePointIfOn";

type Params = DeviceToolParams<"update_from_base">;

/** The notes in the journal: before the first file is changed, and after the last step. */
const updatingNote = z.object({
  updating: z.object({ workspaceId: z.string(), from: z.string(), to: z.string() }),
});
const updatedNote = z.object({ updated: z.string() });

/** update_from_base: brings the newest commits of the base into the branch of a workspace. */
export const updateFromBaseTool = (deps: ToolDeps): Tool<"update_from_base"> => ({
  async run(params, context) {
    const { path } = await findWorkspace(deps, params.workspaceId);
    return deps.locks.run(path, () => update(deps, params, context), context.signal);
  },
  recover: (notes, context) => recoverUpdate(deps, notes, context),
});

async function update(
  deps: ToolDeps,
  { workspaceId, how, expectHead: head }: Params,
  context: ToolContext,
): Promise<DeviceToolResult<"update_from_base">> {
  const { signal } = context;
  const workspace = await findWorkspace(deps, workspaceId);
  requireIdle(deps, workspace);
  const worktree = await openWorkspace(deps, workspace);
  await requireNoOperation(worktree);
  const branch = await requireBranch(worktree);
  await requireHead(worktree, head);
  await requireClean(worktree, signal);
  await fetchBase(worktree, workspace.baseBranch, context);
  const compared = await comparedBase(worktree, workspace, signal);
  if (!compared?.isCurrent) throw baseGone(workspace.baseBranch);
  const { commit: base } = compared;
  const repository = (await repositoryOf(deps, workspace)) ?? worktree.path;
  const to = await target(worktree, { repository, head, branch, base, how, workspace }, signal);
  if (to !== head) {
    await savePointIfOn(deps, worktree, workspace, signal);
    const updating = { workspaceId, from: head, to };
    await moveWorktree(worktree, { from: head, to }, signal, () => context.note({ updating }));
    await context.note({ updated: to });
  }
  return { head: to, base };
}

interface Update extends Pick<Params, "how"> {
  repository: string;
  workspace: LocalWorkspace;
  head: string;
  branch: string;
  base: string;
}

/**
 * The commit to which the branch is to move. Only objects are written.
 * @throws {CommandFailure} `conflicts`, `identity_missing`, `signing_failed`
 */
async function target(
  worktree: OpenWorktree,
  { repository, workspace, head, branch, base, how }: Update,
  signal: AbortSignal,
): Promise<string> {
  const { git, plainGit } = worktree;
  const isAncestor = (one: string, other: string) =>
    exitsWithZero(git(["merge-base", "--is-ancestor", one, other], { signal }));
  if (await isAncestor(base, head)) return head;
  if (await isAncestor(head, base)) return base;
  const name = `'${workspace.baseBranch}'`;
  if (how === "rebase") {
    const result = await computeRebase(plainGit, repository, { head, onto: base }, signal);
    if ("conflicts" in result) throw inConflict(result.conflicts, name);
    return result.commit;
  }
  const merged = await mergeTree(git, head, base, signal);
  if ("conflicts" in merged) throw inConflict(merged.conflicts, name);
  const message = `Merge ${isCommit(workspace.baseBranch) ? "commit" : "branch"} ${name} into ${branch}\n`;
  return writeUserCommit(worktree, { tree: merged.tree, parents: [head, base], message }, signal);
}

/** Finishes an update that a crash cut off. The files at that moment become a restore point. */
async function recoverUpdate(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: RecoveryContext,
): Promise<string> {
  const updating = notes.map((note) => updatingNote.safeParse(note).data?.updating).find(Boolean);
  if (!updating) return "Nothing was updated.";
  const { from, to } = updating;
  if (notes.some((note) => updatedNote.safeParse(note).success)) return `The branch was updated to ${to}.`;
  const workspace = await deps.store.workspace(updating.workspaceId);
  if (!workspace) return `The workspace ${updating.workspaceId} no longer exists.`;
  await endInheritors(`${RESTORED_WORKTREE}=${workspace.path}`);
  const partly = "The files were perhaps only partly updated";
  const finish = async () => {
    const worktree = await openWorkspace(deps, workspace);
    const head = await currentCommit(worktree.git, worktree.path);
    if (head !== from && head !== to) return `${partly}, and another commit has been checked out since.`;
    if ((await pointsOff(deps, workspace.projectId, worktree.path)) !== undefined)
      return `${partly}. Restore points are off, so they were left as they are: check \`git status\`.`;
    const { id: workspaceId } = workspace;
    const restoration = { workspaceId, point: to, staged: to, pointHead: to, head: to };
    const point = await restore(worktree, restoration, signal, async () => {});
    return `The branch was updated to ${to}. The replaced files are restore point ${point}.`;
  };
  try {
    return await deps.locks.run(workspace.path, finish, signal);
  } catch (error) {
    signal.throwIfAborted();
    return `${partly}: ${messageOf(error)}`;
  }
}
