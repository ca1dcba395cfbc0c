import { randomUUID } from "node:crypto";
import type {
  DeviceToolParams,
  DeviceToolResult,
  Project,
  WorkspaceMade,
  WorkspaceRequest,
} from "@grove/schemas";
import { JournalReplacedError } from "../commands/journalDisk";
import { CommandFailure, toCommandError } from "../errors";
import { readBeginning } from "../git/beginning";
import { whenUnlocked } from "../git/lock";
import { openWorktree } from "../git/openWorktree";
import { type Git, GitError } from "../git/run";
import { emptySubmodules } from "../git/submodules";
import { addWorktree, discardWorktree, isUntouched, spaceMissing } from "../git/worktree";
import { isErrno } from "../home/home";
import type { LocalProject } from "../home/store";
import type { WorkspaceDeps } from "./deps";
import { type AtOrigin, askOrigin, CLOUD_PATIENCE, findRepository, readProject } from "./repository";
import type { Tool, WorkContext } from "./tool";
import { type Site, whenNotBusy } from "./workspace/construction";
import { checkedOut } from "./workspace/onDevice";
import { planWorkspace } from "./workspace/plan";
import {
  ensureFields,
  keepLocally,
  type NotedWorkspace,
  register,
  unregisterUndone,
} from "./workspace/record";
import { recoverWorkspaces } from "./workspace/recovery";
import { setUpWorkspace, tearDownUndone } from "./workspace/setup";

/** create_workspace: makes git worktrees on new or existing branches, and their entries in the cloud. */
export const createWorkspace = (deps: WorkspaceDeps): Tool<"create_workspace"> => ({
  run: (params, context) => makeWorkspaces(deps, params, context),
  recover: (notes, context) => recoverWorkspaces(deps, notes, context),
});

/**
 * Makes workspaces one after another. One that fails leaves nothing behind and does not stop the others. If the command
 * is ended from outside, everything it made is removed again, except workspaces that are already in use.
 */
export async function makeWorkspaces(
  deps: WorkspaceDeps,
  { projectId, workspaces }: DeviceToolParams<"create_workspace">,
  context: WorkContext,
): Promise<DeviceToolResult<"create_workspace">> {
  const project = await readProject(deps, projectId, context.signal);
  const repository = await findRepository(deps, project, context);
  const atOrigin = await askOrigin(deps, repository, workspaces, context);
  const maker = new WorkspaceMaker(deps, project, repository, atOrigin, context);
  const items: WorkspaceMade[] = [];
  try {
    for (const [index, request] of workspaces.entries()) {
      context.progress(`Creating workspace ${index + 1} of ${workspaces.length}`, index / workspaces.length);
      items.push(await maker.make(request));
    }
  } catch (error) {
    await maker.undoAll();
    throw error;
  }
  return { workspaces: items };
}

interface Item {
  made: NotedWorkspace;
  site: Site;
  /** The worktree's `git status` right after its setup; undefined before. */
  status: string | undefined;
}

/** Makes the workspaces of one command, and can undo them. */
class WorkspaceMaker {
  #items: Item[] = [];
  readonly #deps: WorkspaceDeps;
  readonly #project: Project;
  readonly #repository: LocalProject;
  readonly #atOrigin: AtOrigin;
  readonly #context: WorkContext;

  constructor(
    deps: WorkspaceDeps,
    project: Project,
    repository: LocalProject,
    atOrigin: AtOrigin,
    context: WorkContext,
  ) {
    this.#deps = deps;
    this.#project = project;
    this.#repository = repository;
    this.#atOrigin = atOrigin;
    this.#context = context;
  }

  /** @throws {unknown} only if the command as a whole is ended from outside */
  async make(request: WorkspaceRequest): Promise<WorkspaceMade> {
    const { signal, log } = this.#context;
    try {
      const found = await whenNotBusy(this.#deps, () => this.#makeWorktree(request), signal);
      const { id, name, branch, baseBranch, path } = found.workspace;
      const finished = found.item ? await this.#finish(found.item) : [];
      const unasked = found.item ? this.#unasked(request) : [];
      const warnings = [...found.warnings, ...unasked, ...finished];
      const made = { id, name, branch, baseBranch, path, alreadyExisted: !found.item };
      return warnings.length > 0 ? { ...made, warnings } : made;
    } catch (error) {
      signal.throwIfAborted();
      const name = request.name ?? request.branchName ?? request.existingBranch ?? "(generated)";
      const failure = toCommandError(error);
      log.warn({ name, ...failure }, "a workspace could not be made");
      return { name, alreadyExisted: false, error: failure };
    }
  }

  /** Removes the workspaces of this command, except those that are already in use. */
  async undoAll(): Promise<void> {
    for (const { made, site, status } of this.#items.reverse())
      try {
        if (status === undefined || (await this.#isUntouched(made, status))) await this.#undo(made, status);
      } catch (error) {
        this.#context.log.error({ err: error, path: made.path }, "a workspace could not be removed again");
      } finally {
        site.close();
      }
  }

  async #isUntouched({ repository, path, commit }: NotedWorkspace, status: string): Promise<boolean> {
    return isUntouched(await openWorktree(this.#deps.git, repository, path), commit, status);
  }

  /** Warnings for a new worktree that was made without asking `origin`. */
  #unasked({ branchName }: WorkspaceRequest): string[] {
    const { asked, trouble } = this.#atOrigin;
    if (asked) return [];
    if (this.#repository.cloned) return [`${trouble} The last fetched state is used, and may be old.`];
    return branchName === undefined ? [] : [`${trouble} It may already have a branch '${branchName}'.`];
  }

  #makeWorktree(request: WorkspaceRequest) {
    const { locks, git } = this.#deps;
    const { signal, note, commandId } = this.#context;
    const attempt = async () => {
      signal.throwIfAborted();
      const planned = await planWorkspace(
        this.#deps,
        this.#project,
        this.#repository,
        request,
        this.#atOrigin,
      );
      const { warnings } = planned;
      if ("existing" in planned) {
        const { existing } = planned;
        const branch = (await checkedOut(this.#deps, existing)) ?? existing.branch;
        if (branch !== existing.branch)
          warnings.push(
            `"${existing.name}" was made on '${existing.branch}', but '${branch}' is checked out.`,
          );
        return { workspace: { ...existing, branch }, item: undefined, warnings };
      }
      const made: NotedWorkspace = {
        id: randomUUID(),
        projectId: this.#project.id,
        project: ensureFields(this.#project),
        repository: this.#repository.path,
        ...planned.plan,
      };
      await note(made);
      const site = this.#deps.construction.begin(made.id);
      try {
        await addWorktree(git, made, signal, this.#context.progress);
        await keepLocally(this.#deps, made, { commandId });
      } catch (error) {
        site.close();
        if (isTaken(error))
          throw new CommandFailure(
            "branch_exists",
            `The branch '${made.branch}', or ${made.path}, was created by another program just now. Try again.`,
          );
        await this.#noteUndoing(made);
        await this.#discard(made);
        throw await explainedByDisk(git, made, error);
      }
      return { workspace: made, item: { made, site, status: undefined }, warnings };
    };
    // Plan again after each wait for git's own lock, because its holder has changed the repository.
    return locks.run(this.#repository.path, () => whenUnlocked(attempt, signal), signal);
  }

  /** Sets a worktree up and registers it, or removes it again. */
  async #finish(item: Item): Promise<string[]> {
    const { made, site } = item;
    const { commandId } = this.#context;
    const signal = AbortSignal.any([this.#context.signal, site.signal]);
    this.#items.push(item);
    try {
      const { warnings: fromSetup, status } = await setUpWorkspace(this.#deps, made, {
        ...this.#context,
        signal,
      });
      item.status = status;
      const tree = await openWorktree(this.#deps.git, made.repository, made.path);
      await this.#deps.store.saveBeginning(made.id, await readBeginning(tree, signal));
      const warnings = [...fromSetup, ...emptyOnes(await emptySubmodules(tree, signal))];
      await register(this.#deps, made, commandId, { ...CLOUD_PATIENCE, signal });
      await keepLocally(this.#deps, made);
      site.close();
      return warnings;
    } catch (error) {
      // If the whole command is ended, undoAll removes it.
      if (this.#context.signal.aborted) throw error;
      this.#items.pop();
      try {
        await this.#undo(made, item.status);
      } finally {
        site.close();
      }
      throw site.signal.aborted ? site.signal.reason : error;
    }
  }

  async #undo(made: NotedWorkspace, status: string | undefined): Promise<void> {
    await this.#noteUndoing(made, status);
    await tearDownUndone(this.#deps, made, this.#context);
    await this.#deps.locks.run(made.repository, () => this.#discard(made));
    await unregisterUndone(this.#deps, made.id);
  }

  /**
   * Has to precede any change of something that exists: an agent that has taken this home recovers what the journal
   * shows, and this one may then change nothing more.
   * @throws {JournalReplacedError} in that case. A disk without room for the note does not prevent the undoing
   */
  async #noteUndoing({ id }: NotedWorkspace, status?: string): Promise<void> {
    await this.#context.note({ undoing: id, status }).catch((error: unknown) => {
      if (error instanceof JournalReplacedError) throw error;
    });
  }

  /** Needs the repository's lock. The note keeps a later recovery from touching what others make there next. */
  async #discard(made: NotedWorkspace): Promise<void> {
    const { git, store } = this.#deps;
    await discardWorktree(git, made);
    await store.removeWorkspace(made.id);
    await this.#context.note({ undone: made.id }).catch(() => {});
  }
}

/** How many submodules are named. */
const NAMED = 5;

/** A warning about submodules. They are not fetched unasked: that may take long, and needs keys for other hosts. */
function emptyOnes(paths: string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  return [
    `Its submodules are empty (${paths.slice(0, NAMED).join(", ")}${more}). Run \`git submodule update --init --recursive\` in it if they are needed.`,
  ];
}

/** Whether the branch or the directory existed before. Then it is not ours to remove. */
const isTaken = (error: unknown): boolean =>
  isErrno(error, "EEXIST") || (error instanceof GitError && /^fatal: .*already exists/m.test(error.stderr));

/** Explains a full disk, about which git only reports that it cannot write a file. */
async function explainedByDisk(git: Git, made: NotedWorkspace, error: unknown): Promise<unknown> {
  if (!(error instanceof GitError) || !error.stderr.includes("unable to write")) return error;
  const missing = await spaceMissing(git, made).catch(() => undefined);
  if (missing === undefined) return error;
  const message = `The device's disk is full: ${missing}. Free some space on it. (${error.message})`;
  return new CommandFailure("disk_full", message);
}
