import { messageOf } from "@grove/schemas";
import * as z from "zod";
import { isTransient } from "../../cloud/deviceApi";
import { removePoints } from "../../git/points/pointRefs";
import { openWorktree } from "../../git/worktree/openWorktree";
import { ADDED_WORKTREE, discardWorktree, isUntouched, listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { endInheritors } from "../../sessions/process/processes";
import type { Recovered, RecoveryContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { WORKSPACE_VARIABLE } from "../projects/scriptEnvironment";
import { keepForkCommit } from "./forkCommit";
import { keepLocally, type NotedWorkspace, notedWorkspace, register } from "./registration";
import { needsSetUp, tearDownUndone } from "./setup";

/**
 * The notes written before and after an item is undone. The first has the worktree's `git status` after its setup, and
 * no status if the setup was not completed.
 */
const undoingNote = z.object({ undoing: z.string(), status: z.string().optional() });
const undoneNote = z.object({ undone: z.string() });
/** The notes written before and after a worktree is set up. */
const settingUpNote = z.object({ settingUp: z.string() });
const setUpNote = z.object({ setUp: z.string() });

type Undoing = z.infer<typeof undoingNote>;

/** How far the command had come with an item. */
interface Progress {
  setUp: "not begun" | "begun" | "done";
  undoing: Undoing | undefined;
}

/**
 * Recovers an interrupted create_workspace: keeps and registers complete worktrees, and removes half-made ones.
 */
export async function recoverWorkspaces(
  deps: WorkspaceDeps,
  notes: readonly unknown[],
  context: RecoveryContext,
): Promise<Recovered> {
  const undoneIds = new Set(notes.flatMap((note) => undoneNote.safeParse(note).data?.undone ?? []));
  // An item that was retried while the repository was locked has several notes; the last one counts.
  const byPath = new Map<string, NotedWorkspace>();
  for (const note of notes) {
    const { data } = notedWorkspace.safeParse(note);
    if (data) byPath.set(data.path, data);
  }
  const setUpStartedIds = new Set(
    notes.flatMap((note) => settingUpNote.safeParse(note).data?.settingUp ?? []),
  );
  const setUpDoneIds = new Set(notes.flatMap((note) => setUpNote.safeParse(note).data?.setUp ?? []));
  const undoingById = new Map<string, Undoing>();
  for (const note of notes) {
    const { data } = undoingNote.safeParse(note);
    if (data) undoingById.set(data.undoing, data);
  }
  const recovered: RecoveredOne[] = [];
  for (const noted of byPath.values())
    if (!undoneIds.has(noted.id)) {
      const setUp = setUpDoneIds.has(noted.id)
        ? "done"
        : setUpStartedIds.has(noted.id)
          ? "begun"
          : "not begun";
      recovered.push(await recoverOne(deps, noted, { setUp, undoing: undoingById.get(noted.id) }, context));
    }
  const messages = recovered.map(({ message }) => message).join(" ");
  return {
    message: messages ? `${messages} Nothing else was created.` : "No workspace was created.",
    created: recovered.flatMap(({ path }) => path ?? []),
  };
}

interface RecoveredOne {
  message: string;
  /** Undefined if the worktree was removed. */
  path?: string;
}

async function recoverOne(
  deps: WorkspaceDeps,
  noted: NotedWorkspace,
  { setUp, undoing }: Progress,
  context: RecoveryContext,
): Promise<RecoveredOne> {
  const { name, path, branch, repository, id } = noted;
  const { commandId, signal, log } = context;
  if (!(await isThere(repository)))
    return { message: `"${name}" could not be recovered: ${repository} no longer exists.` };
  if (await deps.store.isTaken(noted))
    return {
      message: `"${name}" no longer exists: another workspace has since been created at ${path}, and was kept.`,
    };
  // A git process that has outlived the agent could make the branch or the worktree after they have been removed.
  await endInheritors(`${ADDED_WORKTREE}=${path}`);
  const mayStay = undoing ? await isUsed(deps, noted, undoing) : setUp !== "begun";
  if (!mayStay) {
    // The setup may have outlived the agent, and would continue in the removed directory.
    await endInheritors(`${WORKSPACE_VARIABLE}=${id}`);
    await tearDownUndone(deps, noted, context);
  }
  const isKept = await deps.locks.run(repository, async () => {
    const isReady = mayStay && (setUp === "done" || (await isReadyAsItIs(deps, noted, signal)));
    if (isReady && (await isComplete(deps, noted))) {
      await keepForkCommit(deps, noted, context);
      await keepLocally(deps, noted);
      return true;
    }
    await discardWorktree(deps.git, noted);
    await removePoints(deps.git, repository, id);
    await deps.store.removeWorkspace(id);
    return false;
  });
  if (!isKept) return { message: `"${name}" was incomplete and has been removed.` };
  const found = `Workspace "${name}" (${id}) is at ${path} on branch '${branch}'`;
  try {
    await register(deps, noted, commandId, {
      signal,
      forMs: Number.POSITIVE_INFINITY,
      baseMs: 500,
      maxMs: 30_000,
      retryable: isTransient,
    });
    return { path, message: `${found} and is registered.` };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, workspaceId: id }, "a recovered workspace could not be registered");
    return { path, message: `${found}, but is not registered in the cloud: ${messageOf(error)}` };
  }
}

/** Whether a person has begun to work in a worktree that was about to be undone. */
async function isUsed(
  { git }: WorkspaceDeps,
  { repository, path, commit }: NotedWorkspace,
  { status }: Undoing,
): Promise<boolean> {
  if (status === undefined || !(await isThere(path))) return false;
  return !(await isUntouched(await openWorktree(git, repository, path), commit, status));
}

/** Whether a worktree whose setup had not begun needs no setup, provided it is complete. */
async function isReadyAsItIs(
  deps: WorkspaceDeps,
  noted: NotedWorkspace,
  signal: AbortSignal,
): Promise<boolean> {
  const entry = await deps.store.workspace(noted.id);
  // The workspace was handed out, or at least registered, so it may be in use.
  if (entry && !entry.creating) return true;
  return !(await needsSetUp(deps, noted, signal));
}

async function isComplete({ git }: WorkspaceDeps, { repository, path }: NotedWorkspace): Promise<boolean> {
  const listed = (await listWorktrees(git, repository)).find((worktree) => worktree.path === path);
  return listed !== undefined && !listed.initializing && isThere(path);
}
