import { type DeviceToolParams, messageOf, type PointsOff } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../../errors";
import { readOperation } from "../../git/operation";
import { type FoundPoint, findPoint } from "../../git/points/findPoint";
import { RESTORED_WORKTREE, type Restoration, restore } from "../../git/points/restore";
import { currentBranch, currentCommit } from "../../git/refs";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { findWorkspace } from "../../home/workspaces";
import { endInheritors } from "../../sessions/process/processes";
import type { RecoveryContext, Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { pointsOff } from "../workspace/pointsOff";
import { requireIdle } from "../workspace/requireIdle";

type Params = DeviceToolParams<"restore_point">;

/** The notes in the journal: before the first file is changed, and after the last step. */
const restoringNote = z.object({
  restoring: z.object({
    workspaceId: z.string(),
    point: z.string(),
    staged: z.string(),
    pointHead: z.string(),
    head: z.string(),
  }),
  /** The commit that was checked out before. */
  oldHead: z.string(),
  newPoint: z.string(),
});
const restoredNote = z.object({ restored: z.string() });

/** restore_point: gives a worktree the files of a restore point, and its branch the commit of that time if wanted. */
export const restorePointTool = (deps: ToolDeps): Tool<"restore_point"> => ({
  async run(params, context) {
    const { workspaceId, expectHead } = params;
    const { path } = await findWorkspace(deps, workspaceId);
    const work = async () => {
      const workspace = await findWorkspace(deps, workspaceId);
      // A session begins under this lock, so none can begin during the restoration.
      requireIdle(deps, workspace);
      const worktree = await openWorkspace(deps, workspace);
      const restoration = await plan(deps, worktree, workspace.projectId, params);
      const newPoint = await restore(worktree, restoration, context.signal, (made) =>
        context.note({ restoring: restoration, oldHead: expectHead, newPoint: made }),
      );
      await context.note({ restored: newPoint });
      return { newPoint };
    };
    return deps.locks.run(path, work, context.signal);
  },
  recover: (notes, context) => recoverRestoration(deps, notes, context),
});

/** @throws {CommandFailure} `points_off`, `point_gone`, `head_moved`, `in_the_middle`, `would_drop_pushed` */
async function plan(
  deps: ToolDeps,
  worktree: OpenWorktree,
  projectId: string,
  { workspaceId, point: commit, mode, expectHead }: Params,
): Promise<Restoration> {
  const { git, path, gitDir } = worktree;
  const off = await pointsOff(deps, projectId, path);
  if (off !== undefined) throw refusalWhileOff(off, deps.home.configFile);
  const operation = await readOperation(gitDir);
  if (operation)
    throw new CommandFailure(
      "in_the_middle",
      `A ${operation.kind} is in progress in the worktree. Finish or abort it first.`,
    );
  const head = await currentCommit(git, path);
  if (head !== expectHead)
    throw new CommandFailure(
      "head_moved",
      `The worktree is at ${head ?? "no commit"}, not at ${expectHead}. Check what has changed, then try again.`,
    );
  const point = await findPoint(worktree, workspaceId, commit);
  if (mode === "branch") {
    await requireSameBranch(worktree, point);
    await requireNotPushed(worktree, head, point.pointHead);
  }
  const { staged, pointHead } = point;
  return { workspaceId, point: commit, staged, pointHead, head: mode === "branch" ? pointHead : head };
}

function refusalWhileOff(off: PointsOff, configFile: string): CommandFailure {
  const why = {
    config: `"restorePoints" is false in the device's ${configFile}. Set it to true, then try again.`,
    project: "Restore points are off in the project's settings. Turn them on there, then try again.",
    mirror:
      "A remote of the repository has `mirror` set, so a push would carry restore points. Remove that setting, then try again.",
  };
  return new CommandFailure(
    "points_off",
    `Nothing was restored: restore points are off, so the current files could not be saved first. ${why[off]}`,
  );
}

/** @throws {CommandFailure} `head_moved` if the point is of another branch */
async function requireSameBranch({ git, path }: OpenWorktree, { branch }: FoundPoint): Promise<void> {
  const current = (await currentBranch(git, path)) ?? "(none)";
  if (branch === undefined || branch === current) return;
  throw new CommandFailure(
    "head_moved",
    `The point was made on branch '${branch}', and '${current}' is checked out. Check out '${branch}' first, or restore only the files.`,
  );
}

/** @throws {CommandFailure} `would_drop_pushed` */
async function requireNotPushed({ git }: OpenWorktree, head: string, target: string): Promise<void> {
  const count = async (...revisions: string[]) => Number(await git(["rev-list", "--count", ...revisions]));
  const dropped = await count(head, "--not", target);
  const pushed = dropped - (await count(head, "--not", target, "--remotes"));
  if (pushed === 0) return;
  throw new CommandFailure(
    "would_drop_pushed",
    `The branch would lose ${pushed} of its commits that were pushed to a remote. Restore only the files, or revert those commits.`,
  );
}

/** Finishes a restoration that a crash cut off. */
async function recoverRestoration(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: RecoveryContext,
): Promise<string> {
  const begun = notes.map((note) => restoringNote.safeParse(note).data).find((note) => note !== undefined);
  if (!begun) return "Nothing was restored.";
  const { restoring, oldHead, newPoint } = begun;
  const before = `The replaced files are restore point ${newPoint}.`;
  if (notes.some((note) => restoredNote.safeParse(note).success)) return `The point was restored. ${before}`;
  const workspace = await deps.store.workspace(restoring.workspaceId);
  if (!workspace) return `The workspace ${restoring.workspaceId} no longer exists.`;
  // A git process that has outlived the agent must not change the files at the same time.
  await endInheritors(`${RESTORED_WORKTREE}=${workspace.path}`);
  const finish = async () => {
    const worktree = await openWorkspace(deps, workspace);
    const head = await currentCommit(worktree.git, worktree.path);
    if (head !== oldHead && head !== restoring.head)
      return `The point was only partly restored, and another commit has been checked out since. ${before}`;
    await restore(worktree, restoring, signal, async () => {});
    return `The point was restored. ${before}`;
  };
  try {
    return await deps.locks.run(workspace.path, finish, signal);
  } catch (error) {
    signal.throwIfAborted();
    return `The point was perhaps only partly restored: ${messageOf(error)} ${before}`;
  }
}
