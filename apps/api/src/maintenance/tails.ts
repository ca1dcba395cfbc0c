import { sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { onward, type Step } from "./progress";

/** The end of a session's output that stays, in whole chunks, until the session is deleted. */
const KEPT_BYTES = 16 * 1024;
/** How many sessions one statement cuts. A session has some thousand chunks at most. */
const PAGE = 10;

/** Deletes all but the end of the output of agent sessions that ended long ago. */
export const cutTails = (step: Step): Promise<void> =>
  onward(step, "tails", async (trx, after) => {
    const { rows } = await sql<{ reached: string | null }>`
      with page as (
        select organization_id, id, output_bytes, ended_at from agent_sessions
        where ended_at > ${after}::timestamptz and ended_at < now() - ${lifetimes.sessionOutput}
        order by ended_at fetch first ${sql.lit(PAGE)} rows with ties),
      cut as (
        delete from agent_session_output as output using page
        where output.organization_id = page.organization_id and output.session_id = page.id
          and end_byte <= output_bytes - ${sql.lit(KEPT_BYTES)})
      select max(ended_at)::text as reached from page`.execute(trx);
    return rows[0]?.reached ?? null;
  });
