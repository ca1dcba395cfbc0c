import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure } from "../../errors";
import { isThere } from "../../home/home";
import type { LocalWorkspace } from "../../home/store";
import {
  endTreeProcesses,
  mentions,
  type TreeMark,
  type TreeProcess,
  treeProcesses,
} from "../../sessions/treeProcesses";
import { WORKSPACE_VARIABLE } from "../repositoryScript";

/** How many processes are named. */
const NAMED = 5;

const markOf = ({ id, path }: LocalWorkspace): TreeMark => ({
  path,
  variable: `${WORKSPACE_VARIABLE}=${id}`,
});

/** @throws {CommandFailure} `processes_running` if programs other than agent sessions work in the worktree */
export async function requireNoProcesses(workspace: LocalWorkspace): Promise<void> {
  const found = await treeProcesses(markOf(workspace));
  if (found.length === 0) return;
  throw new CommandFailure(
    "processes_running",
    `Programs work in workspace "${workspace.name}": ${inWords(found)}. End them, or use force to end them with it.`,
  );
}

/** Names the programs that work in a worktree, as warnings for the caller. */
export async function occupants(workspace: LocalWorkspace): Promise<string[]> {
  const found = await treeProcesses(markOf(workspace));
  return found.length === 0 ? [] : [`Programs still work in its workspace: ${inWords(found)}.`];
}

/** Ends the programs that work in a worktree. @returns warnings for the caller */
export async function endOccupants(workspace: LocalWorkspace): Promise<string[]> {
  const found = await treeProcesses(markOf(workspace));
  if (found.length === 0) return [];
  if (await endTreeProcesses(markOf(workspace))) return [`Programs in it were ended: ${inWords(found)}.`];
  const left = await treeProcesses(markOf(workspace));
  return left.length === 0 ? [] : [`Programs in it could not be ended: ${inWords(left)}. End them by hand.`];
}

/** A writer that has no file of the tree open is noticed only by what it writes. It gets this long. */
const COMEBACK_MS = 300;
/** The time if a running program's arguments name the worktree. */
const SUSPECT_MS = 2_000;
const POLL_MS = 25;

/**
 * Whether a removed directory exists again, because a program still writes to it.
 * @returns a warning, which names the programs that are known to use it; undefined if it stays away
 */
export async function comeback(workspace: LocalWorkspace): Promise<string | undefined> {
  const { path } = workspace;
  const suspects = await mentions(path);
  const giveUpAt = performance.now() + (suspects.length > 0 ? SUSPECT_MS : COMEBACK_MS);
  while (!(await isThere(path))) {
    if (performance.now() > giveUpAt) return undefined;
    await sleep(POLL_MS);
  }
  const inside = await treeProcesses(markOf(workspace));
  const writers = inside.length > 0 ? inside : suspects;
  const who = writers.length > 0 ? ` (perhaps ${inWords(writers)})` : "";
  return `Its directory ${path} was made again by a program that still writes to it${who}. End that program and remove the directory.`;
}

const inWords = (processes: TreeProcess[]): string => {
  const listed = processes
    .slice(0, NAMED)
    .map(({ pid, name, uses }) => `${name} ${pid}${uses === undefined ? "" : ` in ${uses}`}`);
  return `${listed.join(", ")}${processes.length > NAMED ? `, and ${processes.length - NAMED} more` : ""}`;
};
