import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure } from "../../errors";
import type { LocalWorkspace } from "../../home/store";
import { isThere } from "../../lib/fileSystem";
import { listShort } from "../../lib/listShort";
import {
  endTreeProcesses,
  mentions,
  type TreeMark,
  type TreeProcess,
  treeProcesses,
} from "../../sessions/process/treeProcesses";
import { WORKSPACE_VARIABLE } from "../projects/scriptEnvironment";

/** The properties by which the processes of a workspace are recognized. */
export const treeMarkOf = ({ id, path }: LocalWorkspace): TreeMark => ({
  path,
  variable: `${WORKSPACE_VARIABLE}=${id}`,
});

/** @throws {CommandFailure} `processes_running` if programs other than agent sessions work in the worktree */
export async function requireNoProcesses(workspace: LocalWorkspace): Promise<void> {
  const found = await treeProcesses(treeMarkOf(workspace));
  if (found.length === 0) return;
  throw new CommandFailure(
    "processes_running",
    `Programs run in workspace "${workspace.name}": ${describeProcesses(found)}. Stop them, or use force to stop them too.`,
  );
}

/** Names the programs that work in a worktree, as warnings for the caller. */
export async function warnOfPrograms(workspace: LocalWorkspace): Promise<string[]> {
  const found = await treeProcesses(treeMarkOf(workspace));
  return found.length === 0 ? [] : [`Programs still work in its workspace: ${describeProcesses(found)}.`];
}

/** Ends the programs that work in a worktree. @returns warnings for the caller */
export async function endPrograms(workspace: LocalWorkspace): Promise<string[]> {
  const found = await treeProcesses(treeMarkOf(workspace));
  if (found.length === 0) return [];
  if (await endTreeProcesses(treeMarkOf(workspace)))
    return [`Programs in it were ended: ${describeProcesses(found)}.`];
  const remaining = await treeProcesses(treeMarkOf(workspace));
  return remaining.length === 0
    ? []
    : [`Programs in it could not be ended: ${describeProcesses(remaining)}. End them by hand.`];
}

/**
 * A program without an open file in the tree is detected only when it writes. The check waits this long for a write.
 */
const COMEBACK_MS = 300;
/** The time if a running program's arguments name the worktree. */
const SUSPECT_MS = 2_000;
const POLL_MS = 25;

/**
 * Whether a removed directory exists again, because a program still writes to it.
 * @returns a warning, which names the programs that are known to use it; undefined if it stays away
 */
export async function awaitRecreation(workspace: LocalWorkspace): Promise<string | undefined> {
  const { path } = workspace;
  const suspects = await mentions(path);
  const giveUpAt = performance.now() + (suspects.length > 0 ? SUSPECT_MS : COMEBACK_MS);
  while (!(await isThere(path))) {
    if (performance.now() > giveUpAt) return undefined;
    await sleep(POLL_MS);
  }
  const inside = await treeProcesses(treeMarkOf(workspace));
  const writers = inside.length > 0 ? inside : suspects;
  const writerText = writers.length > 0 ? ` (perhaps ${describeProcesses(writers)})` : "";
  return `Its directory ${path} was made again by a program that still writes to it${writerText}. End that program and remove the directory.`;
}

const describeProcesses = (processes: TreeProcess[]): string =>
  listShort(
    processes.map(({ pid, name, uses }) => `${name} ${pid}${uses === undefined ? "" : ` in ${uses}`}`),
  );
