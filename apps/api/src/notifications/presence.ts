import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** How long a report counts. The console repeats it every 20 s while its tab has the focus. */
const PRESENT = sql`interval '45 seconds'`;
/** A report that extends an earlier one by less than this writes nothing: several tabs may report. */
const EXTENDS = sql`interval '15 seconds'`;

/** Records that a user has the console in view. */
export const reportPresence = (db: Kysely<Database>, userId: string) =>
  sql`insert into user_presence (user_id, until) values (${userId}, now() + ${PRESENT})
    on conflict (user_id) do update set until = excluded.until
    where user_presence.until < excluded.until - ${EXTENDS}`.execute(db);
