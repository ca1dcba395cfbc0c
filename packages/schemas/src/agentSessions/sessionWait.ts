import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { MAX_CALL_WAIT_MS } from "../protocol";
import { id } from "../values";
import type { Activity } from "./activity";
import type { AgentSession } from "./agentSession";
import { waitsForPerson } from "./waitsForPerson";

/** The most sessions that one call waits for. */
export const MAX_AWAITED_SESSIONS = 20;

/**
 * The condition to wait for. `attention`: the agent waits for a person. `turn`: the agent waits for a person, or its
 * turn ended. `end`: the session ended.
 */
export const sessionWait = z.enum(["attention", "turn", "end"]);
export type SessionWait = z.infer<typeof sessionWait>;

export const agentWaitForSessionsInput = z.object({
  ...organizationScope,
  ids: z.array(id).min(1).max(MAX_AWAITED_SESSIONS),
  until: sessionWait,
  /** How long to wait; 0 answers immediately. */
  waitMs: z.number().int().min(0).max(MAX_CALL_WAIT_MS).default(0),
});

/**
 * Whether a session meets the condition that a caller waits for. An ended session always does, since nothing else will
 * happen to it. Terminal silence counts as waiting for a person only for agents that do not report their state.
 */
export function meetsWait(
  {
    status,
    waitingForInput,
    activity,
  }: Pick<AgentSession, "status" | "waitingForInput"> & {
    activity: Pick<Activity, "state" | "source"> | null;
  },
  until: SessionWait,
): boolean {
  if (status !== "running") return true;
  if (until === "end") return false;
  if (!activity || activity.source === "screen")
    return waitingForInput || (activity !== null && waitsForPerson(activity.state));
  if (waitsForPerson(activity.state)) return true;
  // An idle agent has just started, or its turn ended long ago. Only after a turn does it wait at its prompt.
  const isAtPrompt = activity.state === "done" || (activity.state === "idle" && waitingForInput);
  return until === "turn" && isAtPrompt;
}
