import { timeoutSignal } from "@grove/signals";
import { CommandFailure, toCommandError } from "../../errors";
import { isCommit, readRefs } from "../../git/refs";
import { openWorktree } from "../../git/worktree/openWorktree";
import { statusOf } from "../../git/worktree/worktree";
import { copyIncluded, hasIncludeFile, INCLUDE_FILE } from "../../git/worktree/worktreeInclude";
import type { LocalWorkspace } from "../../home/store";
import { listShort } from "../../lib/listShort";
import type { ToolContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { findScript, runScript, type ScriptOf } from "../projects/repositoryScript";
import type { NotedWorkspace } from "./registration";

const scriptOf = (made: NotedWorkspace): ScriptOf => ({
  repository: made.repository,
  commit: made.scriptCommit ?? made.commit,
  workspace: made,
});

/**
 * Prepares a new worktree before it is returned: copies the files of `.worktreeinclude` and runs `.grove/setup` of
 * its base.
 * @returns warnings for the caller, and the worktree's `git status` afterwards
 * @throws {CommandFailure} `setup_failed`, `include_too_large`, `config_invalid`; the signal's reason when aborted
 */
export async function setUpWorkspace(
  deps: WorkspaceDeps,
  made: NotedWorkspace,
  { signal, progress, note }: Pick<ToolContext, "signal" | "progress" | "note">,
): Promise<{ warnings: string[]; status: string }> {
  const { git, home } = deps;
  const { repository, path } = made;
  const warnings: string[] = [];
  const includes = await hasIncludeFile(repository);
  const found = await findScript(deps, "setup", scriptOf(made), signal);
  if (found && "notAllowed" in found) warnings.push(found.notAllowed);
  const setup = found && "script" in found ? found.script : undefined;
  if (!includes && setup === undefined) return { warnings, status: "" };

  await note({ settingUp: made.id });
  if (includes) {
    progress(`Copying the files that ${INCLUDE_FILE} names`);
    const skipped = await copyIncluded(git, { repository, path, except: home.root }, signal);
    warnings.push(...notCopied(skipped));
  }
  if (setup !== undefined) {
    const { failure } = await runScript(deps, "setup", setup, scriptOf(made), { signal, progress });
    if (failure !== undefined) throw new CommandFailure("setup_failed", failure);
  }
  await note({ setUp: made.id });
  return { warnings, status: await statusOf(await openWorktree(git, repository, path)) };
}

/** Whether a new worktree needs files or a setup script before it is ready. */
export async function needsSetUp(
  deps: WorkspaceDeps,
  made: NotedWorkspace,
  signal: AbortSignal,
): Promise<boolean> {
  if (await hasIncludeFile(made.repository)) return true;
  const found = await findScript(deps, "setup", scriptOf(made), signal);
  return found !== undefined && "script" in found;
}

const notCopied = (skipped: string[]): string[] =>
  skipped.length === 0 ? [] : [`${INCLUDE_FILE}: not copied: ${listShort(skipped, "; ")}`];

/**
 * Runs the current `.grove/teardown` of the base branch in a workspace that is about to be removed.
 * @returns warnings for the caller: that it failed or was not run
 * @throws {unknown} only the signal's reason, when aborted
 */
export async function tearDownWorkspace(
  deps: WorkspaceDeps,
  repository: string,
  workspace: LocalWorkspace,
  context: Pick<ToolContext, "signal" | "progress">,
): Promise<string[]> {
  try {
    const project = await deps.store.project(workspace.projectId);
    const bases = [workspace.baseBranch, project?.defaultBranch ?? workspace.baseBranch];
    const commit = await commitOf(deps, repository, bases);
    if (commit === undefined) return [];
    return await runTeardown(deps, { repository, commit, workspace }, context);
  } catch (error) {
    context.signal.throwIfAborted();
    return [toCommandError(error).message];
  }
}

/**
 * Runs `.grove/teardown` for a workspace that is undone after its setup had begun. Never fails, since the workspace is
 * removed in any case.
 */
export async function tearDownUndone(
  deps: WorkspaceDeps,
  made: NotedWorkspace,
  { log, progress }: Pick<ToolContext, "log" | "progress">,
): Promise<void> {
  try {
    await runTeardown(deps, scriptOf(made), { signal: timeoutSignal(UNDO_MS), progress });
  } catch (error) {
    log.warn({ err: error, path: made.path }, "the teardown of a workspace that is undone failed");
  }
}

/** The caller who ended the command waits for this. */
const UNDO_MS = 30_000;

async function runTeardown(
  deps: WorkspaceDeps,
  script: ScriptOf,
  context: Pick<ToolContext, "signal" | "progress">,
): Promise<string[]> {
  const found = await findScript(deps, "teardown", script, context.signal);
  if (!found) return [];
  if ("notAllowed" in found) return [found.notAllowed];
  const { failure } = await runScript(deps, "teardown", found.script, script, context);
  return failure === undefined ? [] : [failure];
}

/** The commit of the first of these branches that still exists. A base may itself be a commit. */
async function commitOf(
  { git }: WorkspaceDeps,
  repository: string,
  bases: readonly string[],
): Promise<string | undefined> {
  const refs = await readRefs(git, repository);
  for (const base of bases)
    for (const place of ["refs/heads/", "refs/remotes/", "refs/remotes/origin/"]) {
      const commit = refs.get(`${place}${base}`);
      if (commit !== undefined) return commit;
    }
  return bases.find(isCommit);
}
