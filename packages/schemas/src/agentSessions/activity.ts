import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, timestamp } from "../values";

/**
 * The states of an agent. `starting`: it has reported nothing yet. `needs_permission` and `needs_answer`: it waits for
 * a person. `done`: a turn ended, and nothing was typed since; `idle`: no turn yet, or done half an hour ago.
 * `limited`: a usage limit stopped it. `failed`: a turn ended with an error, and the program still runs.
 */
export const activityState = z.enum([
  "starting",
  "working",
  "needs_permission",
  "needs_answer",
  "done",
  "limited",
  "failed",
  "idle",
]);
export type ActivityState = z.infer<typeof activityState>;

/**
 * The source of a state. `hook`: the agent reported it. `record`: the agent wrote it into its own record of the
 * session. `screen`: a guess from the content of its terminal.
 */
export const activitySource = z.enum(["hook", "record", "screen"]);
export type ActivitySource = z.infer<typeof activitySource>;

/** The most characters of an activity's detail. */
export const ACTIVITY_DETAIL_LENGTH = 500;

/** The state of a running session's agent, since when, and how that is known. */
export const activity = z.object({
  state: activityState,
  since: timestamp,
  source: activitySource,
  /** The request that it has open, or the error that ended its turn; for users who may read the session's output. */
  detail: z.string().nullable(),
  /** When its usage limit ends, if the agent has reported that. */
  limitedUntil: timestamp.nullable(),
});
export type Activity = z.infer<typeof activity>;

/** `seen`: the activity's `since` when the caller looked at the session. */
export const agentMarkSessionSeenInput = z.strictObject({ ...organizationScope, id, seen: timestamp });
export const agentListSeenSessionsInput = z.object({ ...organizationScope });

/** The last change of a running session's activity that the caller has seen. */
export const seenSession = z.object({ id, seen: timestamp });
export type SeenSession = z.infer<typeof seenSession>;
