import { type Database, notification } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { tryWithAdvisoryLock } from "../lib/advisoryLock";

/** The most requests of one statement. Later ones wait for the next round. */
const SLICE = 500;

/**
 * Ends requests that no one answered within `REQUEST_EXPIRES_MS` of packages/schemas. The agent's own prompt then takes
 * the answer.
 */
export const expireRequests = (db: Kysely<Database>) =>
  tryWithAdvisoryLock(db, "cleaning", (trx) =>
    sql`
      with expired as (
        update agent_requests set status = 'expired', settled_at = now()
        where status = 'open' and ctid = any (array(
          select ctid from agent_requests where status = 'open' and expires_at <= now()
          order by expires_at limit ${sql.lit(SLICE)}))
        returning organization_id)
      select ${notification("attention", sql`organization_id::text`)} as announced
      from expired group by organization_id`.execute(trx),
  );
