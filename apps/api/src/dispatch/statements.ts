import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import { gatherEnds } from "./end/complete";
import { gatherReads } from "./read";
import { gatherInserts } from "./submit/insert";

/** The statements of a command's usual way, each for all that come together in this process. */
export const gatherStatements = (db: Kysely<Database>) => ({
  insert: gatherInserts(db),
  end: gatherEnds(db),
  read: gatherReads(db),
});

export type CommandStatements = ReturnType<typeof gatherStatements>;
