import * as z from "zod";

/** The id of the last event seen, when a client resumes a subscription; tRPC's client sends it by itself. */
export const lastEventId = z
  .string()
  .regex(/^\d{1,15}$/, "must be the id of an event")
  .optional();

/**
 * The first news of a subscription to resumable events, after what was missed since `lastEventId`: from here on events
 * come as they happen. `missed`: events after `lastEventId` are no longer kept (they are for 7 days), so read again
 * what they tell of.
 */
export const readyEvent = z.object({ type: z.literal("ready"), missed: z.boolean() });
export type ReadyEvent = z.infer<typeof readyEvent>;
