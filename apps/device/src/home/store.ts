import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { id } from "@grove/schemas";
import * as z from "zod";
import { EMPTY_INITIAL_STATE, type InitialState, initialState } from "../git/worktree/initialState";
import { readIfThere, writeFileAtomic } from "../lib/fileSystem";
import type { Home } from "./home";

const localProject = z.object({
  id,
  organizationId: id,
  name: z.string(),
  slug: z.string(),
  repoUrl: z.string(),
  defaultBranch: z.string(),
  /** The repository's main work tree on this machine. */
  path: z.string(),
  /**
   * Whether the device agent cloned the repository. No one works in such a clone, and it is fetched before it is used.
   */
  cloned: z.boolean(),
  /** The project's setting when it was last read; true if it never was. */
  restorePoints: z.boolean().optional(),
});
/** A project whose repository is on this machine. */
export type LocalProject = z.infer<typeof localProject>;

const localWorkspace = z.object({
  id,
  projectId: id,
  name: z.string(),
  branch: z.string(),
  baseBranch: z.string(),
  /** The base's commit when the workspace was made. It is used instead of a base that no longer exists. */
  baseCommit: z.string(),
  path: z.string(),
  /** The first of its ten ports, for as long as it exists. */
  portBase: z.int(),
  createdAt: z.iso.datetime(),
  /** Set while the workspace is being set up, with the id of the command that requested it, if any. */
  creating: z.object({ commandId: z.string().optional() }).optional(),
});
/** A worktree that the device agent made. */
export type LocalWorkspace = z.infer<typeof localWorkspace>;

const activeFile = z.object({ workspaceId: id });

/**
 * The projects and workspaces on this machine, one file each, read at every use. So `project add` and a running device
 * agent see each other's entries and cannot overwrite them, without a lock.
 */
export class Store {
  readonly #home: Home;
  /** Entries of another organization, from an earlier registration, are hidden. */
  readonly #organizationId: string;

  constructor(home: Home, organizationId: string) {
    this.#home = home;
    this.#organizationId = organizationId;
  }

  async projects(): Promise<LocalProject[]> {
    const all = await readAll(this.#home.projectsDir, localProject);
    return all.filter((project) => this.#isOurs(project));
  }

  async project(projectId: string): Promise<LocalProject | undefined> {
    const project = await read(join(this.#home.projectsDir, `${projectId}.json`), localProject);
    return project && this.#isOurs(project) ? project : undefined;
  }

  async saveProject(project: Omit<LocalProject, "organizationId">): Promise<void> {
    await write(this.#home.projectsDir, { ...project, organizationId: this.#organizationId });
  }

  /** All workspaces except those whose project is known to be another organization's. */
  async workspaces(): Promise<LocalWorkspace[]> {
    const others = await this.#projectsOfOthers();
    const all = await readAll(this.#home.workspacesDir, localWorkspace);
    return all.filter(({ projectId }) => !others.has(projectId));
  }

  async workspace(workspaceId: string): Promise<LocalWorkspace | undefined> {
    const workspace = await read(join(this.#home.workspacesDir, `${workspaceId}.json`), localWorkspace);
    if (workspace === undefined) return undefined;
    const project = await read(join(this.#home.projectsDir, `${workspace.projectId}.json`), localProject);
    return project === undefined || this.#isOurs(project) ? workspace : undefined;
  }

  async saveWorkspace(workspace: LocalWorkspace): Promise<void> {
    // The directory of an earlier workspace was removed by hand; this one now takes its place.
    for (const earlier of await this.#othersAt(workspace)) await this.removeWorkspace(earlier.id);
    await write(this.#home.workspacesDir, workspace);
  }

  /** Whether a directory belongs to another workspace, even one of another organization. */
  async isTaken(workspace: Pick<LocalWorkspace, "id" | "path">): Promise<boolean> {
    return (await this.#othersAt(workspace)).length > 0;
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    await rm(this.#initialStateFile(workspaceId), { force: true });
    await rm(join(this.#home.workspacesDir, `${workspaceId}.json`), { force: true });
  }

  /** The state in which a workspace's worktree began; without files if none was recorded. */
  async initialState(workspaceId: string): Promise<InitialState> {
    return (await read(this.#initialStateFile(workspaceId), initialState)) ?? EMPTY_INITIAL_STATE;
  }

  async saveInitialState(workspaceId: string, initial: InitialState): Promise<void> {
    await writeFileAtomic(this.#initialStateFile(workspaceId), `${JSON.stringify(initial)}\n`);
  }

  #initialStateFile(workspaceId: string): string {
    return join(this.#home.initialStatesDir, `${workspaceId}.json`);
  }

  /** The device's active workspace, if it still exists. */
  async activeWorkspaceId(): Promise<string | null> {
    const active = await read(this.#home.activeFile, activeFile);
    if (!active) return null;
    return (await this.workspace(active.workspaceId))?.id ?? null;
  }

  setActiveWorkspace(workspaceId: string): Promise<void> {
    return writeFileAtomic(this.#home.activeFile, `${JSON.stringify({ workspaceId })}\n`);
  }

  #isOurs({ organizationId }: LocalProject): boolean {
    return organizationId === this.#organizationId;
  }

  async #othersAt({ id: workspaceId, path }: Pick<LocalWorkspace, "id" | "path">): Promise<LocalWorkspace[]> {
    const all = await readAll(this.#home.workspacesDir, localWorkspace);
    return all.filter((other) => other.path === path && other.id !== workspaceId);
  }

  async #projectsOfOthers(): Promise<Set<string>> {
    const all = await readAll(this.#home.projectsDir, localProject);
    return new Set(all.filter((project) => !this.#isOurs(project)).map(({ id }) => id));
  }
}

const write = <T extends { id: string }>(directory: string, entry: T): Promise<void> =>
  writeFileAtomic(join(directory, `${entry.id}.json`), `${JSON.stringify(entry, null, 2)}\n`);

/** @throws {Error} naming the file if its content is invalid, because skipping the file would lose its entry */
async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const content = await readIfThere(path);
  if (content === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(content));
  } catch (error) {
    throw new Error(`${path} cannot be read. Repair or remove it.`, { cause: error });
  }
}

async function readAll<T>(directory: string, schema: z.ZodType<T>): Promise<T[]> {
  // The directory is small and local: reading it in another thread takes ten times as long.
  const names = readdirSync(directory).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  const entries = await Promise.all(names.sort().map((name) => read(join(directory, name), schema)));
  return entries.filter((entry): entry is Awaited<T> & T => entry !== undefined);
}
