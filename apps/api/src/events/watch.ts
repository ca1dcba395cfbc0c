import type { Database } from "@grove/db";
import type { ReadyEvent } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { type Kysely, sql } from "kysely";
import { endWhenDraining } from "../lib/draining";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import type { Topic } from "./record";

/** The read that makes up for a wake-up that was lost. */
const SAFETY_READ_MS = 20_000;

/**
 * A topic's events, resumable: first those after `lastEventId`, then `ready`, then each as it is committed, without a
 * gap and without a duplicate. Without `lastEventId` it begins with what happens from now on, and so it does (`ready`
 * says `missed`) when events after it are no longer kept, or when it is none of this database's.
 *
 * Ends with the request; with SERVICE_UNAVAILABLE `server_draining`, on which tRPC's client comes back by itself, when
 * the process shuts down.
 */
export async function* watchEvents<Event extends { type: string }>(
  services: Services,
  topic: Topic,
  lastEventId: string | undefined,
  hungUp: AbortSignal = new AbortController().signal,
): AsyncGenerator<TrackedEnvelope<Event | ReadyEvent>, void> {
  const { db, notifier } = services.database;
  const wakeUp = new WakeUp();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = notifier.subscribe("organization_event", topic.organizationId, (event) => {
    if (event.kind === "resync" || event.detail === topic.topic) wakeUp.wake();
  });
  try {
    const { oldest, newest } = await keptEvents(db, topic.organizationId);
    const resumed = lastEventId === undefined ? newest : Number(lastEventId);
    const missed = resumed > newest || resumed < oldest - 1;
    let last = missed ? newest : resumed;
    let ready = false;
    while (!hungUp.aborted) {
      const { events, more } = await services.readEvents({ ...topic, after: last });
      for (const { sequence, payload } of events) {
        // A topic has one type of events.
        yield tracked(sequence, payload as Event);
        last = Number(sequence);
      }
      if (more) continue;
      if (!ready) {
        // Other topics' events count, too: the place to resume at must not grow old while this topic is quiet.
        last = Math.max(last, newest);
        yield tracked(`${last}`, { type: "ready", missed });
        ready = true;
      }
      endWhenDraining(services);
      await wakeUp.wait(SAFETY_READ_MS, [hungUp, services.draining]);
    }
  } finally {
    unsubscribe();
  }
}

/** The sequences of the organization's newest event, and of the oldest that is kept: one more when none is. */
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
