import DataLoader from "dataloader";

/** Most credentials that one statement looks for. */
const MOST_AT_ONCE = 100;

/** Finds the row of a secret's hash. */
export type Lookup<Row> = (hash: string) => Promise<Row | undefined>;

/**
 * Gathers what is asked for in one turn of the event loop into one statement, so that a busy server asks once for many
 * requests; a request that comes alone waits for nothing. Nothing is kept: whatever is asked for is read after that.
 */
export function gathered<Row extends { hash: string }>(
  find: (hashes: string[]) => Promise<readonly Row[]>,
): Lookup<Row> {
  const loader = new DataLoader<string, Row | undefined>(
    async (hashes) => {
      const rows = new Map((await find([...new Set(hashes)])).map((row) => [row.hash, row]));
      return hashes.map((hash) => rows.get(hash));
    },
    // After the sockets that have something to read, which is where requests come from.
    { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: (run) => setImmediate(run) },
  );
  return (hash) => loader.load(hash);
}
