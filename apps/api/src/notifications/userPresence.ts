import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** How long a report is valid. The console repeats it every 20 s while its tab has the focus. */
const PRESENCE_DURATION = sql`interval '45 seconds'`;
/** A report that would extend the presence by less than this writes nothing, since several tabs may report. */
const MIN_EXTENSION = sql`interval '15 seconds'`;

/** Records that a user has the console in view. */
export const reportPresence = (db: Kysely<Database>, userId: string) =>
  sql`insert into user_presence (user_id, until) values (${userId}, now() + ${PRESENCE_DURATION})
    on conflict (user_id) do update set until = excluded.until
    where user_presence.until < excluded.until - ${MIN_EXTENSION}`.execute(db);
