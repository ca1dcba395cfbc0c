import { randomUUID } from "node:crypto";
import type { Project, WorkspaceMade, WorkspaceRequest } from "@grove/schemas";
import { apiRetryOptions } from "../../cloud/retryOptions";
import { CommandFailure, JournalReplacedError, toCommandError } from "../../errors";
import { removePoints } from "../../git/points/pointRefs";
import { whenUnlocked } from "../../git/repositoryLocks";
import { type Git, GitError } from "../../git/run";
import { readInitialState } from "../../git/worktree/initialState";
import { openWorktree } from "../../git/worktree/openWorktree";
import { emptySubmodules } from "../../git/worktree/submodules";
import { addWorktree, discardWorktree, isUntouched, spaceMissing } from "../../git/worktree/worktree";
import type { LocalProject } from "../../home/store";
import { isErrno } from "../../lib/fileSystem";
import { listShort } from "../../lib/listShort";
import type { WorkContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import type { AtOrigin } from "../projects/repository";
import { type ConstructionHandle, whenNotBusy } from "./construction";
import { keepForkCommit } from "./forkCommit";
import { checkedOut } from "./openWorkspace";
import { planWorkspace } from "./plan";
import { ensureFields, keepLocally, type NotedWorkspace, register, unregisterUndone } from "./registration";
import { setUpWorkspace, tearDownUndone } from "./setup";

interface Item {
  made: NotedWorkspace;
  construction: ConstructionHandle;
  /** The worktree's `git status` right after its setup; undefined before. */
  status: string | undefined;
}

/** Makes the workspaces of one command, and can undo them. */
export class WorkspaceMaker {
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
      const setupWarnings = found.item ? await this.#finish(found.item) : [];
      const fetchWarnings = found.item ? this.#fetchWarnings(request) : [];
      const warnings = [...found.warnings, ...fetchWarnings, ...setupWarnings];
      const workspace = { id, name, branch, baseBranch, path, alreadyExisted: !found.item };
      return warnings.length > 0 ? { ...workspace, warnings } : workspace;
    } catch (error) {
      signal.throwIfAborted();
      const name = request.name ?? request.branchName ?? request.existingBranch ?? "(generated)";
      const failure = toCommandError(error);
      log.warn({ name, ...failure }, "a workspace could not be created");
      return { name, alreadyExisted: false, error: failure };
    }
  }

  /** Removes the workspaces of this command, except those that are already in use. */
  async undoAll(): Promise<void> {
    for (const { made, construction, status } of this.#items.reverse())
      try {
        if (status === undefined || (await this.#isUntouched(made, status))) await this.#undo(made, status);
      } catch (error) {
        this.#context.log.error({ err: error, path: made.path }, "a workspace could not be removed again");
      } finally {
        construction.close();
      }
  }

  async #isUntouched({ repository, path, commit }: NotedWorkspace, status: string): Promise<boolean> {
    return isUntouched(await openWorktree(this.#deps.git, repository, path), commit, status);
  }

  /** Warnings for a new worktree that was made without an answer from `origin`. */
  #fetchWarnings({ branchName }: WorkspaceRequest): string[] {
    const { answered, failure } = this.#atOrigin;
    if (answered) return [];
    if (this.#repository.cloned)
      return [`${failure} Using the last fetched state, which may be out of date.`];
    return branchName === undefined ? [] : [`${failure} It may already have a branch '${branchName}'.`];
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
            `"${existing.name}" was created on '${existing.branch}', but '${branch}' is checked out.`,
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
      const construction = this.#deps.construction.begin(made.id);
      try {
        await addWorktree(git, made, signal, this.#context.progress);
        await keepLocally(this.#deps, made, { commandId });
      } catch (error) {
        construction.close();
        if (isTaken(error))
          throw new CommandFailure(
            "branch_exists",
            `The branch '${made.branch}', or ${made.path}, was created by another program just now. Try again.`,
          );
        await this.#noteUndoing(made);
        // The cause may also keep git from undoing.
        await whenUnlocked(() => this.#discard(made), signal);
        throw await explainedByDisk(git, made, error);
      }
      return { workspace: made, item: { made, construction, status: undefined }, warnings };
    };
    // Plan again after each wait for git's own lock, because the lock's holder has changed the repository.
    return locks.run(this.#repository.path, () => whenUnlocked(attempt, signal), signal);
  }

  /** Sets a worktree up and registers it, or removes it again. */
  async #finish(item: Item): Promise<string[]> {
    const { made, construction } = item;
    const { commandId } = this.#context;
    const signal = AbortSignal.any([this.#context.signal, construction.signal]);
    this.#items.push(item);
    try {
      const { warnings: fromSetup, status } = await setUpWorkspace(this.#deps, made, {
        ...this.#context,
        signal,
      });
      item.status = status;
      const tree = await openWorktree(this.#deps.git, made.repository, made.path);
      await this.#deps.store.saveInitialState(made.id, await readInitialState(tree, signal));
      const warnings = [...fromSetup, ...submoduleWarnings(await emptySubmodules(tree, signal))];
      await register(this.#deps, made, commandId, { ...apiRetryOptions, signal });
      await keepForkCommit(this.#deps, made, this.#context);
      await keepLocally(this.#deps, made);
      construction.close();
      return warnings;
    } catch (error) {
      // If the whole command is ended, undoAll removes it.
      if (this.#context.signal.aborted) throw error;
      this.#items.pop();
      try {
        await this.#undo(made, item.status);
      } finally {
        construction.close();
      }
      throw construction.signal.aborted ? construction.signal.reason : error;
    }
  }

  async #undo(made: NotedWorkspace, status: string | undefined): Promise<void> {
    await this.#noteUndoing(made, status);
    await tearDownUndone(this.#deps, made, this.#context);
    await this.#deps.locks.run(made.repository, () => this.#discard(made));
    await unregisterUndone(this.#deps, made.id);
  }

  /**
   * Must be called before anything is undone. If another agent has taken over this home, that agent recovers from the
   * journal, and this one must stop. On a full disk the note cannot be written, but the work is undone anyway.
   * @throws {JournalReplacedError} if another agent has taken over this home
   */
  async #noteUndoing({ id }: NotedWorkspace, status?: string): Promise<void> {
    await this.#context.note({ undoing: id, status }).catch((error: unknown) => {
      if (error instanceof JournalReplacedError) throw error;
    });
  }

  /**
   * Call under the repository's lock. The note stops recovery from deleting a worktree that someone creates at the same
   * path later.
   */
  async #discard(made: NotedWorkspace): Promise<void> {
    const { git, store } = this.#deps;
    await discardWorktree(git, made);
    await removePoints(git, made.repository, made.id);
    await store.removeWorkspace(made.id);
    await this.#context.note({ undone: made.id }).catch(() => {});
  }
}

/** A warning about submodules. They are not fetched unasked: that may take long, and needs keys for other hosts. */
function submoduleWarnings(paths: string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `Its submodules are empty (${listShort(paths)}). Run \`git submodule update --init --recursive\` in it if they are needed.`,
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
