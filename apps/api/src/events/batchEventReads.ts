import { batch, type Database, type Measure } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Topic } from "./record";

/**
 * The most events that one read returns for a topic. A stream holds them for as long as its caller takes to read them.
 */
const MAX_EVENTS = 100;
const MAX_BYTES = sql.lit(256 * 1024);
/** How many streams one statement reads for. */
const MAX_STREAMS = 100;
const IN_FLIGHT = 2;

interface Position extends Topic {
  /** The sequence number of the last event seen. */
  after: number;
}

interface EventsRead {
  events: { sequence: string; payload: { type: string } }[];
  /** Whether there may be more after these. */
  more: boolean;
}

interface Row {
  position: number;
  sequence: string;
  payload: { type: string };
  more: boolean;
}

/**
 * Reads the events after a position. Streams that wait for the same event are at the same position, and share one read.
 */
export const batchEventReads = (
  db: Kysely<Database>,
  measure?: Measure<Position>,
): ((position: Position) => Promise<EventsRead>) =>
  batch<Position, EventsRead>(
    async (asked) => {
      const positions = new Map(asked.map((position) => [keyOf(position), position]));
      const found = await readAll(db, [...positions.values()]);
      const byKey = new Map([...positions.keys()].map((key, index) => [key, found[index]]));
      return asked.map((position) => byKey.get(keyOf(position)) ?? { events: [], more: false });
    },
    { maxItems: MAX_STREAMS, inFlight: IN_FLIGHT, measure },
  );

const keyOf = ({ organizationId, topic, after }: Position) => `${organizationId} ${topic} ${after}`;

async function readAll(db: Kysely<Database>, positions: readonly Position[]): Promise<EventsRead[]> {
  const { rows } = await sql<Row>`
    select asked.n::integer - 1 as position, event.sequence, event.payload, event.more
    from unnest(
        ${positions.map(({ organizationId }) => organizationId)}::uuid[], ${positions.map(({ topic }) => topic)}::text[],
        ${positions.map(({ after }) => `${after}`)}::bigint[])
      with ordinality as asked (organization_id, topic, after, n)
    cross join lateral (
      -- The first of them, however large it is, and then as many as fit.
      select sequence, payload, count(*) over () < total as more
      from (
        select sequence, payload, count(*) over () as total,
          sum(payload_bytes) over (order by sequence rows unbounded preceding) - payload_bytes as bytes_before
        from (
          select sequence, payload, payload_bytes from organization_events
          where organization_id = asked.organization_id and topic = asked.topic and sequence > asked.after
          order by sequence limit ${sql.lit(MAX_EVENTS)}) as next) as next
      where bytes_before < ${MAX_BYTES}) as event
    order by asked.n, event.sequence
  `.execute(db);
  const found = positions.map((): EventsRead => ({ events: [], more: false }));
  for (const { position, sequence, payload, more } of rows) {
    const read = found[position];
    read?.events.push({ sequence, payload });
    if (read) read.more = more || read.events.length === MAX_EVENTS;
  }
  return found;
}
