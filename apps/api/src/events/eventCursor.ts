import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Services } from "../services";
import type { Topic } from "./record";

/** The result of one read. `isReady` is true once: when all events up to the newest at the start were returned. */
interface Read<Event> {
  events: { id: string; event: Event }[];
  more: boolean;
  isReady: boolean;
}

/** A subscriber's position in the events of a topic. */
export class EventCursor<Event extends { type: string }> {
  /** Whether events after `lastEventId` are no longer kept, or that id is not from this database. */
  readonly missed: boolean;
  readonly #services: Services;
  readonly #topic: Topic;
  readonly #newest: number;
  #lastSequence: number;
  #ready = false;

  private constructor(services: Services, topic: Topic, { newest, from, missed }: Start) {
    this.#services = services;
    this.#topic = topic;
    this.#newest = newest;
    this.#lastSequence = from;
    this.missed = missed;
  }

  /** A cursor after `lastEventId`. Without an id, or if later events were deleted, the stream begins at new events. */
  static async after<Event extends { type: string }>(
    services: Services,
    topic: Topic,
    lastEventId: string | undefined,
  ): Promise<EventCursor<Event>> {
    const { oldest, newest } = await keptEvents(services.database.db, topic.organizationId);
    const resumed = lastEventId === undefined ? newest : Number(lastEventId);
    const missed = resumed > newest || resumed < oldest - 1;
    return new EventCursor(services, topic, { newest, from: missed ? newest : resumed, missed });
  }

  /** The id to resume at. */
  get id(): string {
    return `${this.#lastSequence}`;
  }

  /** The next events, in order. */
  async read(): Promise<Read<Event>> {
    const { events, more } = await this.#services.readEvents({ ...this.#topic, after: this.#lastSequence });
    this.#lastSequence = Number(events.at(-1)?.sequence ?? this.#lastSequence);
    const isReady = !more && !this.#ready;
    if (isReady) {
      // Events of other topics count too: the position must stay within retention while this topic is quiet.
      this.#lastSequence = Math.max(this.#lastSequence, this.#newest);
      this.#ready = true;
    }
    // All events of a topic have one type.
    return {
      events: events.map(({ sequence, payload }) => ({ id: sequence, event: payload as Event })),
      more,
      isReady,
    };
  }
}

interface Start {
  newest: number;
  from: number;
  missed: boolean;
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
