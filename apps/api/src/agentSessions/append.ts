import { batchedStatement, type GroveDatabase, lockWithin, type Measure } from "@grove/db";
import { sessionOutputLimits } from "@grove/schemas";
import { sql } from "kysely";
import { lastLineOf, nextLastLine } from "./lastLine";

/** A chunk of a session's output, as its device reports it. */
export interface Chunk {
  organization_id: string;
  device_id: string;
  /** The session's id. */
  id: string;
  sequence: number;
  data: string;
  bytes: number;
}

/** A chunk with its last line, in the form that the statement needs. */
type Given = Chunk & ReturnType<typeof lastLineOf>;

/** Later chunks join the next batch. */
const IN_FLIGHT = 2;
/**
 * How long a statement waits for a row that another transaction has locked. After that, its chunks are tried one by
 * one.
 */
const LOCK_MS = 1_000;

/**
 * Appends a chunk and drops everything before the kept tail: all or nothing, in one statement and one commit with other
 * sessions' chunks of the same batch. The chunk is announced only if the session has viewers. `pnpm bench terminals`
 * measures it.
 * @returns undefined if the chunk changes nothing: it was appended before, or the session does not run on the device
 */
export function batchChunks(
  { db, notifier }: Pick<GroveDatabase, "db" | "notifier">,
  measure?: Measure<Given>,
) {
  const append = batchedStatement<Given, { n: number; is_watched: boolean }>(
    db,
    {
      organization_id: "uuid",
      device_id: "uuid",
      id: "uuid",
      sequence: "integer",
      data: "text",
      bytes: "integer",
      line: "text",
      continues: "boolean",
    },
    (given) => sql`
      with ${given},
      session as (
        update agent_sessions
        set last_sequence = given.sequence, output_bytes = output_bytes + given.bytes,
          last_line = ${nextLastLine}
        from given
        where agent_sessions.organization_id = given.organization_id and agent_sessions.id = given.id
          and agent_sessions.device_id = given.device_id and status = 'running' and last_sequence < given.sequence
          and ${lockWithin(LOCK_MS)}
        returning n, agent_sessions.organization_id, agent_sessions.id, output_bytes, given.sequence, given.data,
          coalesce(watched_until > now(), false) as is_watched),
      added as (
        insert into agent_session_output (organization_id, session_id, sequence, data, end_byte)
        select organization_id, id, sequence, data, output_bytes from session),
      dropped as (
        delete from agent_session_output as output using session
        where output.organization_id = session.organization_id and output.session_id = session.id
          and output.end_byte <= session.output_bytes - ${sql.lit(sessionOutputLimits.keptBytes)})
      select n, is_watched from session
    `,
    { inFlight: IN_FLIGHT, measure },
  );
  return async (chunk: Chunk) => {
    const appended = await append({ ...chunk, ...lastLineOf(chunk.data) });
    if (appended?.is_watched) notifier.announce("session_changed", chunk.id);
    return appended;
  };
}
