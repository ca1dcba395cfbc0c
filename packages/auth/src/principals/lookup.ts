import { batch } from "@grove/db";

/** Most credentials that one statement looks for. */
const MAX_BATCH = 100;
/** Fewer statements for a busy server, and yet one that hangs holds few requests up. */
const IN_FLIGHT = 4;

/** Finds the row of a secret's hash. */
export type Lookup<Row> = (hash: string) => Promise<Row | undefined>;

/** Has a busy server look once for the credentials of many requests. Nothing is kept: whatever is asked for is read after that. */
export const batched = <Row extends { hash: string }>(
  find: (hashes: string[]) => Promise<readonly Row[]>,
): Lookup<Row> =>
  batch<string, Row | undefined>(
    async (hashes) => {
      const rows = new Map((await find([...new Set(hashes)])).map((row) => [row.hash, row]));
      return hashes.map((hash) => rows.get(hash));
    },
    { most: MAX_BATCH, inFlight: IN_FLIGHT },
  );
