import * as z from "zod";

/** The id of the last event seen. tRPC's client sends it by itself when it resumes a subscription. */
export const lastEventId = z
  .string()
  .regex(/^\d{1,15}$/, "must be the id of an event")
  .optional();

/**
 * Marks the point in a resumable subscription from which events arrive as they happen. It follows the events since
 * `lastEventId`. `missed`: some of those no longer exist, since events are kept for 7 days; read the subject's current
 * state.
 */
export const readyEvent = z.object({ type: z.literal("ready"), missed: z.boolean() });
export type ReadyEvent = z.infer<typeof readyEvent>;
