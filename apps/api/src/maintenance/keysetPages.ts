import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { nextSize, type Step } from "./hourlyWork";

/** How many rows one statement reads. */
const ROWS = { min: 200, max: 20_000 };

/** The last row of a page, and how many rows it has. */
export type Page<Row> = Row & { read: number };
type ReadPage<Row> = (trx: Transaction<Database>, after: Row, size: number) => Promise<Page<Row> | undefined>;

/**
 * Reads pages of rows in the order of an index, a page a step, until one is not full. The page size adapts, so that
 * each statement stays short.
 * @returns false if it was interrupted
 */
export async function inPages<Row>(step: Step, first: Row, read: ReadPage<Row>): Promise<boolean> {
  let after = first;
  let isFull = true;
  for (let size = ROWS.min; isFull; ) {
    const isDone = await step(async (trx) => {
      await sql`select ${inOrderOfIndex}`.execute(trx);
      const began = performance.now();
      const page = await read(trx, after, size);
      isFull = page !== undefined && page.read >= size;
      after = page ?? after;
      size = nextSize(size, performance.now() - began, ROWS);
    });
    if (!isDone) return false;
  }
  return true;
}

/**
 * Makes the planner read each page from its index, for this transaction. Without statistics of a partition it expects
 * few rows, and would read and sort all of them for every page.
 */
const inOrderOfIndex = sql.join(
  ["enable_seqscan", "enable_bitmapscan", "enable_sort"].map(
    (setting) => sql`set_config(${sql.lit(setting)}, 'off', true)`,
  ),
);
