import { gather } from "@grove/db";

/** Most credentials that one statement looks for. */
const MOST_AT_ONCE = 100;
/** Fewer statements for a busy server, and yet one that hangs holds few requests up. */
const UNDER_WAY = 4;

/** Finds the row of a secret's hash. */
export type Lookup<Row> = (hash: string) => Promise<Row | undefined>;

/** Has a busy server look once for the credentials of many requests. Nothing is kept: whatever is asked for is read after that. */
export const gathered = <Row extends { hash: string }>(
  find: (hashes: string[]) => Promise<readonly Row[]>,
): Lookup<Row> =>
  gather<string, Row | undefined>(
    async (hashes) => {
      const rows = new Map((await find([...new Set(hashes)])).map((row) => [row.hash, row]));
      return hashes.map((hash) => rows.get(hash));
    },
    { most: MOST_AT_ONCE, underWay: UNDER_WAY },
  );
