import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, type Project, projectFields } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { type RetryOptions, retry } from "@grove/signals/retry";
import * as z from "zod";
import { codeOf, isTransient, reasonOf } from "../../cloud/deviceApi";
import { CommandFailure } from "../../errors";
import { choosePortBase } from "../../home/portBase";
import type { LocalWorkspace } from "../../home/store";
import type { WorkspaceDeps } from "../deps";

/** A worktree that a command makes, as the journal keeps it: enough to finish or undo it after a crash. */
export const notedWorkspace = z.object({
  id: z.string(),
  projectId: z.string(),
  /** In the form that workspace.ensure expects. */
  project: z.object(projectFields),
  /** The main work tree. */
  repository: z.string(),
  name: z.string(),
  branch: z.string(),
  baseBranch: z.string(),
  /** The commit that is checked out. */
  commit: z.string(),
  /** The base's commit, whose scripts are run, if it is another one. */
  scriptCommit: z.string().optional(),
  /** The branch existed before, and is never deleted. */
  keepBranch: z.boolean().optional(),
  /** The remote branch that the new branch copies. */
  upstream: z.string().optional(),
  path: z.string(),
});
export type NotedWorkspace = z.infer<typeof notedWorkspace>;

export const ensureFields = ({ name, slug, repoOwner, repoName, repoUrl, defaultBranch }: Project) => ({
  name,
  slug,
  repoOwner,
  repoName,
  repoUrl,
  defaultBranch,
});

/**
 * Saves an existing workspace in this machine's list.
 * @param creating set while it is not ready yet
 */
export async function keepLocally(
  { store, locks }: WorkspaceDeps,
  noted: NotedWorkspace,
  creating?: LocalWorkspace["creating"],
): Promise<void> {
  const { id, projectId, name, branch, baseBranch, path } = noted;
  const baseCommit = noted.scriptCommit ?? noted.commit;
  const createdAt = new Date().toISOString();
  // The lock keeps two workspaces that are created at the same time from getting the same ports.
  await locks.run("ports", async () => {
    const saved = await store.workspaces();
    const portBase =
      saved.find((each) => each.id === id)?.portBase ?? choosePortBase(saved.map((each) => each.portBase));
    await store.saveWorkspace({
      id,
      projectId,
      name,
      branch,
      baseBranch,
      baseCommit,
      path,
      portBase,
      createdAt,
      creating,
    });
  });
}

/**
 * Registers a workspace in the cloud, with retries.
 * @throws {CommandFailure} `cloud_unreachable` when the time is up, otherwise the API's reason for refusing
 */
export async function register(
  { cloud, organizationId }: WorkspaceDeps,
  { id, name, project, branch, baseBranch, path, commit, scriptCommit: forkCommit = commit }: NotedWorkspace,
  commandId: string | undefined,
  retryOptions: RetryOptions,
): Promise<void> {
  const config = { branchName: branch, baseBranch, path, forkCommit };
  const workspace = { id, name, type: "worktree" as const, config };
  try {
    await retry(() => cloud.ensureWorkspace({ organizationId, project, workspace, commandId }), retryOptions);
  } catch (error) {
    if (retryOptions.signal?.aborted) throw error;
    const message = messageOf(error);
    throw isTransient(error)
      ? new CommandFailure(
          "cloud_unreachable",
          `The workspace could not be registered in the cloud: ${message}`,
        )
      : new CommandFailure(
          reasonOf(error) ?? "registration_refused",
          `The API refused to register it: ${message}`,
        );
  }
}

/**
 * Removes a deleted workspace from the cloud. Succeeds if the API does not have it.
 * @throws {CommandFailure} `cloud_unreachable` when the time is up, otherwise the API's reason for refusing
 */
export async function unregister(
  { cloud, organizationId }: WorkspaceDeps,
  workspaceId: string,
  retryOptions: RetryOptions,
): Promise<void> {
  try {
    await retry(() => cloud.deleteWorkspace({ organizationId, id: workspaceId }), retryOptions);
  } catch (error) {
    if (codeOf(error) === "NOT_FOUND") return;
    const message = messageOf(error);
    throw new CommandFailure(
      isTransient(error) ? "cloud_unreachable" : (reasonOf(error) ?? "removal_refused"),
      `The worktree was removed, but its entry could not be removed from the cloud: ${message}. Call delete_workspace again for that.`,
    );
  }
}

/** How often a failed removal is retried, and at most how many times: an outage may last. */
const LATER_MS = 10_000;
const LATER_ATTEMPTS = 360;

/**
 * Like {@link unregister}, but for work that is being undone. It tries briefly even if the command was ended, and never
 * fails. If the API cannot be reached, it retries later while the agent runs, so that no entry is left behind.
 */
export async function unregisterUndone(
  deps: WorkspaceDeps,
  workspaceId: string,
  attemptsLeft = LATER_ATTEMPTS,
): Promise<void> {
  try {
    await unregister(deps, workspaceId, {
      forMs: 3_000,
      baseMs: 250,
      maxMs: 1_000,
      retryable: isTransient,
      signal: timeoutSignal(5_000),
    });
  } catch (error) {
    const isUnreachable = error instanceof CommandFailure && error.reason === "cloud_unreachable";
    if (!isUnreachable || attemptsLeft === 0) return;
    // Does not delay the command or the agent's exit.
    void sleep(LATER_MS, undefined, { ref: false }).then(() =>
      unregisterUndone(deps, workspaceId, attemptsLeft - 1),
    );
  }
}
