import { type Around, batch, type Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Topic } from "./record";

/**
 * The most events that one read returns for a topic. A stream holds them for as long as its caller takes to read them.
 */
const MOST_EVENTS = 100;
const MOST_BYTES = sql.lit(256 * 1024);
/** How many streams one statement reads for. */
const MOST_STREAMS = 100;
const IN_FLIGHT = 2;

interface Place extends Topic {
  /** The sequence number of the last event seen. */
  after: number;
}

interface EventsRead {
  events: { sequence: string; payload: { type: string } }[];
  /** Whether there may be more after these. */
  more: boolean;
}

interface Row {
  place: number;
  sequence: string;
  payload: { type: string };
  more: boolean;
}

/**
 * Reads the events after a place. Streams that wait for the same event are at the same place: they share one read and
 * its result.
 */
export const batchEventReads = (
  db: Kysely<Database>,
  around?: Around<Place>,
): ((place: Place) => Promise<EventsRead>) =>
  batch<Place, EventsRead>(
    async (asked) => {
      const places = new Map(asked.map((place) => [keyOf(place), place]));
      const found = await readAll(db, [...places.values()]);
      const byKey = new Map([...places.keys()].map((key, index) => [key, found[index]]));
      return asked.map((place) => byKey.get(keyOf(place)) ?? { events: [], more: false });
    },
    { most: MOST_STREAMS, inFlight: IN_FLIGHT, around },
  );

const keyOf = ({ organizationId, topic, after }: Place) => `${organizationId} ${topic} ${after}`;

async function readAll(db: Kysely<Database>, places: readonly Place[]): Promise<EventsRead[]> {
  const { rows } = await sql<Row>`
    select place.n::integer - 1 as place, event.sequence, event.payload, event.more
    from unnest(
        ${places.map(({ organizationId }) => organizationId)}::uuid[], ${places.map(({ topic }) => topic)}::text[],
        ${places.map(({ after }) => `${after}`)}::bigint[])
      with ordinality as place (organization_id, topic, after, n)
    cross join lateral (
      -- The first of them, however large it is, and then as many as fit.
      select sequence, payload, count(*) over () < total as more
      from (
        select sequence, payload, count(*) over () as total,
          sum(payload_bytes) over (order by sequence rows unbounded preceding) - payload_bytes as bytes_before
        from (
          select sequence, payload, payload_bytes from organization_events
          where organization_id = place.organization_id and topic = place.topic and sequence > place.after
          order by sequence limit ${sql.lit(MOST_EVENTS)}) as next) as next
      where bytes_before < ${MOST_BYTES}) as event
    order by place.n, event.sequence
  `.execute(db);
  const found = places.map((): EventsRead => ({ events: [], more: false }));
  for (const { place, sequence, payload, more } of rows) {
    const read = found[place];
    read?.events.push({ sequence, payload });
    if (read) read.more = more || read.events.length === MOST_EVENTS;
  }
  return found;
}
