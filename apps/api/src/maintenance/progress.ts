import type { Database, MaintenanceTable } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { inTurn } from "../lib/advisoryLock";

/** Does a piece of work in a transaction of its own; returns false, with nothing done, when the work has to end. */
export type Step = (work: (trx: Transaction<Database>) => Promise<unknown>) => Promise<boolean>;

/** Steps that wait for others of any instance, and never have to end. */
export const stepsIn =
  (db: Kysely<Database>): Step =>
  async (work) => {
    await inTurn(db, "cleaning", work);
    return true;
  };

const HOURLY = sql`interval '55 minutes'`;
/** An instance whose last step was so long ago is gone, or has stood still. A step takes a moment. */
const QUIET = sql`interval '1 minute'`;

/**
 * Begins the hourly work, unless an instance has ended it within the last hour, or is doing it. Work of an instance
 * that was stopped or has died is begun again, and most of it goes on where it was.
 * @returns the steps of that work: none is done once the signal came, or after a pause so long that another instance
 * has taken over
 */
export async function takeTurn(db: Kysely<Database>, signal: AbortSignal): Promise<Step | undefined> {
  const { rows } = await sql<{
    turn: string;
  }>`insert into maintenance (job, reached) values ('hourly', clock_timestamp())
    on conflict (job) do update set reached = excluded.reached
    where maintenance.reached < now() - ${HOURLY} or maintenance.reached < now() - ${QUIET} and not exists (
      select from maintenance as ended where ended.job = 'ended' and ended.reached >= maintenance.reached)
    returning reached::text as turn`.execute(db);
  let turn = rows[0]?.turn;
  if (turn === undefined) return undefined;
  return async (work) => {
    if (signal.aborted) return false;
    const renewed = await inTurn(db, "cleaning", async (trx) => {
      const renewal = await sql<{ turn: string }>`update maintenance set reached = clock_timestamp()
        where job = 'hourly' and reached = ${turn}::timestamptz returning reached::text as turn`.execute(trx);
      if (renewal.rows[0]) await work(trx);
      return renewal.rows[0]?.turn;
    });
    turn = renewed ?? turn;
    return renewed !== undefined;
  };
}

/** Notes that the hourly work is done, until the next hour. */
export const endTurn = (step: Step): Promise<boolean> =>
  step((trx) =>
    sql`insert into maintenance (job, reached) select 'ended', reached from maintenance where job = 'hourly'
      on conflict (job) do update set reached = excluded.reached`.execute(trx),
  );

/**
 * Works through rows in the order of a time, a page in each step. It begins after the page that any instance did last,
 * and ends with the rows.
 * @param page does the rows after a time (as PostgreSQL's text, which has microseconds), and returns the last one's
 * time, or null if there are none
 */
export async function onward(
  step: Step,
  job: MaintenanceTable["job"],
  page: (trx: Transaction<Database>, after: string) => Promise<string | null>,
): Promise<void> {
  let hasMore = true;
  const next = () =>
    step(async (trx) => {
      const { rows } = await sql<{ reached: string }>`
        select reached::text from maintenance where job = ${job}`.execute(trx);
      const reached = await page(trx, rows[0]?.reached ?? "-infinity");
      hasMore = reached !== null;
      if (hasMore)
        await sql`insert into maintenance (job, reached) values (${job}, ${reached}::timestamptz)
          on conflict (job) do update set reached = excluded.reached`.execute(trx);
    });
  while (hasMore && (await next()));
}

/** How long a statement should take: far less than anybody notices, also on a busy machine. */
const AIM_MS = 25;

/** The number of rows for the next statement, so that it takes as long as it should. */
export function nextSize(
  size: number,
  tookMs: number,
  { least, most }: { least: number; most: number },
): number {
  const fit = Math.round((size * AIM_MS) / Math.max(tookMs, 1));
  // Grows slowly: the next rows may be more expensive.
  return Math.max(least, Math.min(most, fit, size * 2));
}
