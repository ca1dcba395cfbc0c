import { batch } from "@grove/db";

/** The most credentials that one statement looks up. */
const MAX_BATCH = 100;
/**
 * Few statements in flight, so that each takes many lookups; more than one, so that a statement that hangs delays only
 * its own lookups.
 */
const IN_FLIGHT = 4;

/** Looks up the row of a secret's hash. */
export type Lookup<Row> = (hash: string) => Promise<Row | undefined>;

/**
 * Batches credential lookups across concurrent requests. Nothing is cached: each lookup is answered by a read that
 * begins after it.
 */
export const batched = <Row extends { hash: string }>(
  find: (hashes: string[]) => Promise<readonly Row[]>,
): Lookup<Row> =>
  batch<string, Row | undefined>(
    async (hashes) => {
      const rows = new Map((await find([...new Set(hashes)])).map((row) => [row.hash, row]));
      return hashes.map((hash) => rows.get(hash));
    },
    { maxItems: MAX_BATCH, inFlight: IN_FLIGHT },
  );
