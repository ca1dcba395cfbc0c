import type { Database } from "@grove/db";
import type { ReadyEvent } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { type Kysely, sql } from "kysely";
import { type Followed, follow, type Reading } from "../lib/follow";
import type { Services } from "../services";
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
  const { oldest, newest } = await keptEvents(services.database.db, topic.organizationId);
  const resumed = lastEventId === undefined ? newest : Number(lastEventId);
  const missed = resumed > newest || resumed < oldest - 1;
  let last = missed ? newest : resumed;
  let ready = false;
  const followed: Followed = {
    channel: "organization_event",
    key: topic.organizationId,
    isNews: (event) => event.kind === "resync" || event.detail === topic.topic,
    clientGone,
  };
  yield* follow(services, followed, async function* (): Reading<TrackedEnvelope<Event | ReadyEvent>> {
    const { events, more } = await services.readEvents({ ...topic, after: last });
    for (const { sequence, payload } of events) {
      // All events of a topic have one type.
      yield tracked(sequence, payload as Event);
      last = Number(sequence);
    }
    if (more) return "more";
    if (!ready) {
      // Events of other topics count too: the place to resume at must not grow old while this topic is quiet.
      last = Math.max(last, newest);
      yield tracked(`${last}`, { type: "ready", missed });
      ready = true;
    }
    return undefined;
  });
}

/** The sequence numbers of the organization's newest event, and of the oldest one kept. */
async function keptEvents(
  db: Kysely<Database>,
  organizationId: string,
): Promise<{ oldest: number; newest: number }> {
  const { rows } = await sql<{ oldest: string | null; newest: string | null }>`select
    (select min(sequence) from organization_events where organization_id = ${organizationId}) as oldest,
    (select last_sequence from organization_event_counters where organization_id = ${organizationId}) as newest
  `.execute(db);
  const newest = Number(rows[0]?.newest ?? 0);
  return { oldest: Number(rows[0]?.oldest ?? newest + 1), newest };
}
