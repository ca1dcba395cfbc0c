import { sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { resumePages, type Step } from "./hourlyWork";

/** How much of the end of a session's output is kept, in whole chunks, until the session is deleted. */
const KEPT_BYTES = 16 * 1024;
/** How many sessions one statement trims. A session has a few thousand chunks at most. */
const PAGE = 10;

/** Deletes all but the end of the output of agent sessions past retention. */
export const trimOutput = (step: Step): Promise<void> =>
  resumePages(step, "tails", async (trx, after) => {
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
