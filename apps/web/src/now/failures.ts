import type { CommandListed, CommandStatus } from "@grove/schemas";

/** The ends of a command that its requester did not want. */
export type FailedStatus = Extract<CommandStatus, "failed" | "timed_out" | "expired" | "lost">;

/** The tools that people wait for, and what each was to do. The others only look, or type. */
export const actions = {
  create_workspace: "make a workspace",
  delete_workspace: "delete a workspace",
  update_workspace: "rename a workspace",
  switch_workspace: "make a workspace active",
  start_agent_session: "start an agent",
  stop_agent_session: "stop an agent",
};

export const actionOf = (tool: string): string =>
  Object.entries(actions).find(([name]) => name === tool)?.[1] ?? `run ${tool}`;

const words = {
  failed: "It failed on the machine.",
  timed_out: "It took too long, and was ended.",
  expired: "The machine did not come back in time.",
  lost: "The machine forgot it. Look there before you try again.",
} satisfies Record<FailedStatus, string>;

/** Why a command has failed: the machine's words, or what its state means. */
export const causeOf = ({ status, error }: Pick<CommandListed, "status" | "error">): string =>
  error?.message ?? Object.entries(words).find(([name]) => name === status)?.[1] ?? "";

/** A failure is news for this long. */
const NEWS_MS = 3 * 24 * 3_600_000;

/** The failures that are news and not put away, the newest first. */
export const newsOf = (
  commands: readonly CommandListed[],
  away: readonly string[],
  now: number,
): CommandListed[] =>
  commands
    .filter(
      ({ id, finishedAt, createdAt }) =>
        !away.includes(id) && now - Date.parse(finishedAt ?? createdAt) < NEWS_MS,
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
