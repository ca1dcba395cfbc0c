import type { CommandListed, CommandStatus } from "@grove/schemas";

/** The terminal states of a command that count as a failure. */
export type FailedStatus = Extract<CommandStatus, "failed" | "timed_out" | "expired" | "lost">;

/** Tools whose failures are shown, described in the infinitive. The others only read, or type. */
export const actions = {
  create_workspace: "create a workspace",
  delete_workspace: "delete a workspace",
  update_workspace: "rename a workspace",
  switch_workspace: "switch workspaces",
  start_agent_session: "start an agent",
  stop_agent_session: "stop an agent",
};

export const describeTool = (tool: string): string =>
  Object.entries(actions).find(([name]) => name === tool)?.[1] ?? `run ${tool}`;

const reasons = {
  failed: "It failed on the machine.",
  timed_out: "It timed out, and was stopped.",
  expired: "The machine did not come back online in time.",
  lost: "The machine never reported the outcome. Check the machine before you try again.",
} satisfies Record<FailedStatus, string>;

/** Returns the machine's error message, or a description of the command's state. */
export const failureReason = ({ status, error }: Pick<CommandListed, "status" | "error">): string =>
  error?.message ?? Object.entries(reasons).find(([name]) => name === status)?.[1] ?? "";

/** How long a failure is shown. */
const SHOWN_MS = 3 * 24 * 3_600_000;

/** Returns the recent failures that the user has not dismissed, newest first. */
export const recentFailures = (
  commands: readonly CommandListed[],
  dismissed: readonly string[],
  now: number,
): CommandListed[] =>
  commands
    .filter(
      ({ id, finishedAt, createdAt }) =>
        !dismissed.includes(id) && now - Date.parse(finishedAt ?? createdAt) < SHOWN_MS,
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
