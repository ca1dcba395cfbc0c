import type { ReadyEvent } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { type Followed, follow, type Reading } from "../lib/follow";
import type { Services } from "../services";
import { EventCursor } from "./eventCursor";
import type { Topic } from "./record";

/**
 * Streams a topic's events and can be resumed: first the events after `lastEventId`, then `ready`, then each event as
 * it is committed, without a gap or a duplicate. Without `lastEventId` the stream begins with new events. It also does
 * so, with `missed` in `ready`, if events after `lastEventId` are no longer kept, or if that id is not from this
 * database.
 *
 * The stream ends with the request.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then reconnects
 * by itself
 */
export async function* watchEvents<Event extends { type: string }>(
  services: Services,
  topic: Topic,
  lastEventId: string | undefined,
  clientGone: AbortSignal | undefined,
): AsyncGenerator<TrackedEnvelope<Event | ReadyEvent>, void> {
  const cursor = await EventCursor.after<Event>(services, topic, lastEventId);
  const followed = { ...eventsOf(topic), clientGone };
  yield* follow(services, followed, async function* (): Reading<TrackedEnvelope<Event | ReadyEvent>> {
    const { events, more, isReady } = await cursor.read();
    for (const { id, event } of events) yield tracked(id, event);
    if (isReady) yield tracked(cursor.id, { type: "ready", missed: cursor.missed });
    return more ? "more" : undefined;
  });
}

/** The announcements of a topic's events. */
export const eventsOf = ({
  organizationId,
  topic,
}: Topic): Pick<Followed, "channel" | "key"> & Required<Pick<Followed, "requiresRead">> => ({
  channel: "organization_event",
  key: organizationId,
  requiresRead: (event) => event.kind === "resync" || event.detail === topic,
});
