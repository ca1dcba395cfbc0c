import type { Database, MaintenanceTable } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { alone } from "../lib/alone";

type Job = MaintenanceTable["job"];

/** Less than an hour, so that an instance which looks every hour finds its turn. */
const HOURLY = sql`interval '55 minutes'`;

/** Whether it is this instance that does the hourly work now: nobody else began it within the last hour. */
export async function isTurn(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`insert into maintenance (job, reached) values ('hourly', now())
    on conflict (job) do update set reached = excluded.reached where maintenance.reached < now() - ${HOURLY}
    returning job`.execute(db);
  return rows.length > 0;
}

/**
 * Works through rows in the order of a time, a page in each transaction, on one instance at a time. It begins after the
 * page that any instance did last, and ends with the rows or at the signal.
 * @param page does the rows after a time (as PostgreSQL's text, which has microseconds), and returns the last one's
 * time, or null if there are none
 */
export async function onward(
  db: Kysely<Database>,
  job: Job,
  signal: AbortSignal,
  page: (trx: Transaction<Database>, after: string) => Promise<string | null>,
): Promise<void> {
  const next = () =>
    alone(db, "cleaning", async (trx) => {
      const { rows } = await sql<{ reached: string }>`
        select reached::text from maintenance where job = ${job}`.execute(trx);
      const reached = await page(trx, rows[0]?.reached ?? "-infinity");
      if (reached === null) return false;
      await sql`insert into maintenance (job, reached) values (${job}, ${reached}::timestamptz)
        on conflict (job) do update set reached = excluded.reached`.execute(trx);
      return true;
    });
  while (!signal.aborted && (await next()));
}
