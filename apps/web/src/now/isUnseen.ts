import type { AgentSession } from "@grove/schemas";
import { isReported } from "../lib/agentSessions/sessionActivity";

/**
 * Whether a turn ended, and the user has not viewed the session since. After half an hour, an agent that is done counts
 * as idle. An agent that had no turn yet is idle, too, but does not wait at its prompt.
 */
export const isUnseen = (
  { activity, waitingForInput }: Pick<AgentSession, "activity" | "waitingForInput">,
  seen: string | undefined,
): boolean =>
  activity !== null &&
  isReported(activity) &&
  (activity.state === "done" || (activity.state === "idle" && waitingForInput)) &&
  (seen === undefined || seen < activity.since);
