import type { Database } from "@grove/db";
import type { SessionTail } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { notFound } from "../lib/notFound";

interface Tail {
  output: string;
  last_sequence: number;
  output_bytes: string;
  columns: number;
  rows: number;
}

/**
 * The last `length` characters of a session's kept output. One statement, so that no chunk is added or dropped within
 * it.
 * @throws {GroveError} NOT_FOUND
 */
export async function sessionTail(
  db: Kysely<Database>,
  { organizationId, id }: { organizationId: string; id: string },
  length: number,
): Promise<SessionTail> {
  // A character is at most four bytes: these chunks hold at least `length` of them.
  const { rows } = await sql<Tail>`
    select session.last_sequence, session.output_bytes::text, session.columns, session.rows,
      coalesce(string_agg(chunk.data, '' order by chunk.sequence), '') as output
    from agent_sessions as session
    left join agent_session_output as chunk on chunk.organization_id = session.organization_id
      and chunk.session_id = session.id and chunk.end_byte > session.output_bytes - ${length * 4}
    where session.organization_id = ${organizationId} and session.id = ${id}
    group by session.organization_id, session.id
  `.execute(db);
  const [row] = rows;
  if (!row) throw notFound("agent session", id);
  // Drops the second half of a surrogate pair that was cut.
  const output = row.output.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");
  const truncated = Buffer.byteLength(output) < Number(row.output_bytes);
  return { output, truncated, columns: row.columns, rows: row.rows, sequence: row.last_sequence };
}
