import type { Database, MaintenanceTable } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { withAdvisoryLock } from "../lib/advisoryLock";

/** Runs work in its own transaction. Returns false, with nothing done, when the job must stop. */
export type Step = (work: (trx: Transaction<Database>) => Promise<unknown>) => Promise<boolean>;

/** Steps that wait for the steps of other instances, and are never stopped. */
export const stepsIn =
  (db: Kysely<Database>): Step =>
  async (work) => {
    await withAdvisoryLock(db, "cleaning", work);
    return true;
  };

const HOURLY = sql`interval '55 minutes'`;
/** If no step runs for this long, another instance may take over. */
const QUIET = sql`interval '1 minute'`;

/**
 * Begins the hourly work, unless an instance is doing it or finished it within the last hour. Work of an instance that
 * stopped or died is begun again; most of it continues from its last page.
 * @returns the steps of that work. They do nothing after the signal, or after a pause so long that another instance
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
    const renewed = await withAdvisoryLock(db, "cleaning", async (trx) => {
      const renewal = await sql<{ turn: string }>`update maintenance set reached = clock_timestamp()
        where job = 'hourly' and reached = ${turn}::timestamptz returning reached::text as turn`.execute(trx);
      if (renewal.rows[0]) await work(trx);
      return renewal.rows[0]?.turn;
    });
    turn = renewed ?? turn;
    return renewed !== undefined;
  };
}

/** Marks the hourly work as done, until the next hour. */
export const endTurn = (step: Step): Promise<boolean> =>
  step((trx) =>
    sql`insert into maintenance (job, reached) select 'ended', reached from maintenance where job = 'hourly'
      on conflict (job) do update set reached = excluded.reached`.execute(trx),
  );

/**
 * Processes rows in the order of a time, a page a step. It resumes after the last page of any instance.
 * @param page processes the rows after a time (as PostgreSQL's text, which has microseconds). Returns the last row's
 * time, or null if there are no rows
 */
export async function resumePages(
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

/** The target time of a statement: unnoticeable, even on a busy machine. */
const AIM_MS = 25;

/** Returns the number of rows for the next statement, to meet the target time. */
export function nextSize(size: number, tookMs: number, { min, max }: { min: number; max: number }): number {
  const fittingSize = Math.round((size * AIM_MS) / Math.max(tookMs, 1));
  // Grows slowly: the next rows may be more expensive.
  return Math.max(min, Math.min(max, fittingSize, size * 2));
}
