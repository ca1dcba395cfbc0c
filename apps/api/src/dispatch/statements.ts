import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import { gatherEnds } from "./end";
import { gatherInserts } from "./insert";
import { gatherReads } from "./read";

/** The statements of a command's usual way, each for all that come together in this process. */
export const gatherStatements = (db: Kysely<Database>) => ({
  insert: gatherInserts(db),
  end: gatherEnds(db),
  read: gatherReads(db),
});

export type CommandStatements = ReturnType<typeof gatherStatements>;
