import { setTimeout as sleep } from "node:timers/promises";
import { type Project, projectFields } from "@grove/schemas";
import * as z from "zod";
import { type RetryOptions, retry } from "../../cloud/backoff";
import { codeOf, mayPass, reasonOf } from "../../cloud/cloud";
import { ToolError } from "../../errors";
import type { LocalWorkspace } from "../../home/store";
import type { WorkspaceParts } from "../deps";

/** A worktree that a command makes, as the journal keeps it: enough to finish or undo it after a crash. */
export const notedWorkspace = z.object({
  id: z.string(),
  projectId: z.string(),
  /** As workspace.ensure takes it. */
  project: z.object(projectFields),
  /** The main work tree. */
  repository: z.string(),
  name: z.string(),
  branch: z.string(),
  baseBranch: z.string(),
  /** The commit that is checked out. */
  commit: z.string(),
  /** The commit whose scripts are run, where that is another one: that of the base. */
  scriptCommit: z.string().optional(),
  /** The branch was there before, and stays whatever happens. */
  keepBranch: z.boolean().optional(),
  /** The remote's branch, as whose copy the branch is made. */
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
 * Keeps a workspace that stands in this machine's list.
 * @param creating while it is not ready yet
 */
export async function keepLocally(
  { store }: WorkspaceParts,
  noted: NotedWorkspace,
  creating?: LocalWorkspace["creating"],
): Promise<void> {
  const { id, projectId, name, branch, baseBranch, path } = noted;
  const createdAt = new Date().toISOString();
  await store.saveWorkspace({ id, projectId, name, branch, baseBranch, path, createdAt, creating });
}

/**
 * Registers a workspace in the cloud, as often as it takes.
 * @throws {ToolError} `cloud_unreachable` when the time is up, else the reason for which the cloud refused it
 */
export async function register(
  { cloud, organizationId }: WorkspaceParts,
  { id, name, project, branch, baseBranch, path }: NotedWorkspace,
  commandId: string | undefined,
  patience: RetryOptions,
): Promise<void> {
  const workspace = { id, name, type: "worktree" as const, config: { branchName: branch, baseBranch, path } };
  try {
    await retry(() => cloud.ensureWorkspace({ organizationId, project, workspace, commandId }), patience);
  } catch (error) {
    if (patience.signal.aborted) throw error;
    const { message } = error as Error;
    throw mayPass(error)
      ? new ToolError("cloud_unreachable", `The workspace could not be registered in the cloud: ${message}`)
      : new ToolError(
          reasonOf(error) ?? "registration_refused",
          `The cloud refused to register it: ${message}`,
        );
  }
}

/**
 * Takes a workspace that is no more out of the cloud; one that is not there is fine.
 * @throws {ToolError} `cloud_unreachable` when the time is up, else the reason for which the cloud refused it
 */
export async function unregister(
  { cloud, organizationId }: WorkspaceParts,
  workspaceId: string,
  patience: RetryOptions,
): Promise<void> {
  try {
    await retry(() => cloud.deleteWorkspace({ organizationId, id: workspaceId }), patience);
  } catch (error) {
    if (codeOf(error) === "NOT_FOUND") return;
    const { message } = error as Error;
    throw new ToolError(
      mayPass(error) ? "cloud_unreachable" : (reasonOf(error) ?? "removal_refused"),
      `The worktree is gone, but its entry could not be removed from the cloud: ${message}. Call delete_workspace again for that.`,
    );
  }
}

/** How often what could not be unregistered is tried again, and for how long: an outage may last. */
const LATER_MS = 10_000;
const LATER_ATTEMPTS = 360;

/**
 * As {@link unregister}, for what is being undone: tries for a moment, whatever ended the command, and never fails. While
 * the cloud cannot be reached it goes on later, as long as the agent runs, so that no entry is left of what is not there.
 */
export async function unregisterUndone(
  parts: WorkspaceParts,
  workspaceId: string,
  attemptsLeft = LATER_ATTEMPTS,
): Promise<void> {
  try {
    await unregister(parts, workspaceId, {
      forMs: 3_000,
      baseMs: 250,
      maxMs: 1_000,
      retryable: mayPass,
      signal: AbortSignal.timeout(5_000),
    });
  } catch (error) {
    const isUnreachable = error instanceof ToolError && error.reason === "cloud_unreachable";
    if (!isUnreachable || attemptsLeft === 0) return;
    // It holds up neither the command nor an agent that ends.
    void sleep(LATER_MS, undefined, { ref: false }).then(() =>
      unregisterUndone(parts, workspaceId, attemptsLeft - 1),
    );
  }
}
