import type { Database } from "@grove/db";
import type { SessionTail } from "@grove/schemas";
import { type Kysely, sql } from "kysely";

interface Tail {
  output: string;
  last_sequence: number;
  output_bytes: string;
}

/**
 * The last `length` characters that a session printed, of what is kept. One statement, so that no chunk comes or goes
 * within it.
 */
export async function sessionTail(
  db: Kysely<Database>,
  { organizationId, id }: { organizationId: string; id: string },
  length: number,
): Promise<SessionTail> {
  // A character is at most four bytes: these chunks hold as many as asked for.
  const { rows } = await sql<Tail>`
    select session.last_sequence, session.output_bytes::text,
      coalesce(string_agg(chunk.data, '' order by chunk.sequence), '') as output
    from agent_sessions as session
    left join agent_session_output as chunk on chunk.organization_id = session.organization_id
      and chunk.session_id = session.id and chunk.end_byte > session.output_bytes - ${length * 4}
    where session.organization_id = ${organizationId} and session.id = ${id}
    group by session.organization_id, session.id
  `.execute(db);
  const [row] = rows;
  const kept = row?.output ?? "";
  // Not half of a character that takes two.
  const output = kept.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");
  const truncated = Buffer.byteLength(output) < Number(row?.output_bytes ?? 0);
  return { output, truncated, sequence: row?.last_sequence ?? 0 };
}
