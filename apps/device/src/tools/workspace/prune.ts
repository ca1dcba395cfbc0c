import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { allOf } from "@grove/client";
import { messageOf, type Workspace } from "@grove/schemas";
import { isTransient } from "../../cloud/deviceApi";
import { isRepository } from "../../git/locate";
import { isThere } from "../../lib/fileSystem";
import type { WorkspaceDeps } from "../deps";
import { lockOf } from "./openWorkspace";
import { unregister } from "./registration";

/** The changes that a prune has made, or would make. */
export interface Pruned {
  /** Workspaces of this machine whose worktree no longer exists. */
  workspaces: { id: string; name: string; path: string }[];
  /** Workspaces that only the API lists for this device. */
  inCloud: { id: string; name: string }[];
  /** Lines of git's report on the records of missing worktrees that it removes. */
  git: { repository: string; line: string }[];
  /** Directories without an entry. They may hold work, so only a person may remove them. */
  leftAlone: { path: string; why: string }[];
  /** Failed steps, each with the reason. */
  failed: string[];
}

export interface PruneOptions {
  deviceId: string;
  /** Only report what would be done. */
  dryRun: boolean;
  progress(message: string): void;
  signal: AbortSignal;
}

/**
 * Removes entries whose worktree no longer exists: here, in git and in the cloud. Directories are never removed. A
 * failure does not stop the rest.
 */
export async function prune(deps: WorkspaceDeps, options: PruneOptions): Promise<Pruned> {
  const pruned: Pruned = { workspaces: [], inCloud: [], git: [], leftAlone: [], failed: [] };
  await pruneRecords(deps, options, pruned);
  await pruneCloud(deps, options, pruned);
  await pruneGit(deps, options, pruned);
  await findUnknown(deps, pruned);
  return pruned;
}

async function pruneRecords(deps: WorkspaceDeps, options: PruneOptions, pruned: Pruned): Promise<void> {
  options.progress("Checking this machine's workspaces");
  for (const workspace of await deps.store.workspaces()) {
    const { id, name, path } = workspace;
    if (await isThere(path)) continue;
    if ((await lockOf(deps, workspace)) !== undefined) {
      pruned.leftAlone.push({ path, why: "git keeps its record, since the worktree is locked" });
      continue;
    }
    const cleared = await clear(deps, id, name, options, pruned);
    if (!cleared) continue;
    if (!options.dryRun) await deps.store.removeWorkspace(id);
    pruned.workspaces.push({ id, name, path });
  }
}

/** The local entry is kept as long as the API's, so that it is found again. */
async function clear(
  deps: WorkspaceDeps,
  id: string,
  name: string,
  { dryRun, signal }: PruneOptions,
  { failed }: Pruned,
): Promise<boolean> {
  if (dryRun) return true;
  try {
    await unregister(deps, id, { signal, forMs: 10_000, baseMs: 250, maxMs: 2_000, retryable: isTransient });
    return true;
  } catch (error) {
    failed.push(`"${name}" (${id}): ${messageOf(error)}`);
    return false;
  }
}

async function pruneCloud(deps: WorkspaceDeps, options: PruneOptions, pruned: Pruned): Promise<void> {
  options.progress("Comparing with the API");
  const localIds = new Set((await deps.store.workspaces()).map(({ id }) => id));
  const prunedIds = new Set(pruned.workspaces.map(({ id }) => id));
  for (const { id, name, config } of await registeredHere(deps, options.deviceId)) {
    if (localIds.has(id) || prunedIds.has(id)) continue;
    if (typeof config.path === "string" && (await isThere(config.path)))
      pruned.leftAlone.push({
        path: config.path,
        why: `the API has it as workspace "${name}" (${id}), and this machine has no entry for it`,
      });
    else if (await clear(deps, id, name, options, pruned)) pruned.inCloud.push({ id, name });
  }
}

async function registeredHere(
  { cloud, organizationId }: WorkspaceDeps,
  deviceId: string,
): Promise<Workspace[]> {
  const all: Workspace[] = [];
  // The API may end a page before its limit.
  for await (const workspace of allOf((page) => cloud.listWorkspaces({ organizationId, deviceId, ...page })))
    all.push(workspace);
  return all;
}

async function pruneGit({ store, git }: WorkspaceDeps, options: PruneOptions, pruned: Pruned): Promise<void> {
  const { dryRun, signal, progress } = options;
  for (const { path: repository } of await store.projects()) {
    if (!(await isRepository(repository))) continue;
    progress(`git worktree prune in ${repository}`);
    const flags = ["--verbose", ...(dryRun ? ["--dry-run"] : [])];
    // git writes its report to stderr.
    const outputLines: string[] = [];
    const onErrorLine = (line: string) => outputLines.push(line);
    try {
      await git(["worktree", "prune", ...flags], { cwd: repository, signal, onErrorLine });
      pruned.git.push(...outputLines.map((line) => ({ repository, line })));
    } catch (error) {
      signal.throwIfAborted();
      pruned.failed.push(`${repository}: ${messageOf(error)}`);
    }
  }
}

async function findUnknown({ store, home }: WorkspaceDeps, pruned: Pruned): Promise<void> {
  const knownPaths = new Set((await store.workspaces()).map(({ path }) => path));
  for (const { path } of pruned.leftAlone) knownPaths.add(path);
  const projects = await readdir(home.worktreesDir, { withFileTypes: true });
  for (const project of projects.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
    const directory = join(home.worktreesDir, project.name);
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (!knownPaths.has(path))
        pruned.leftAlone.push({
          path,
          why: "no workspace of this organization has it; remove it by hand if it is not needed",
        });
    }
  }
}
