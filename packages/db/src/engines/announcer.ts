import { type Kysely, sql } from "kysely";
import { batch } from "../batch";
import type { Database } from "../tables";

/** The PostgreSQL channel of announcements that were made after a commit. */
export const BATCH_CHANNEL = "announcements";

/** Each has less than 200 bytes, and PostgreSQL takes payloads of less than 8 000. */
const MAX_BATCH = 39;

/**
 * Sends announcements to the other processes, after the commit of the announced change. Announcements that come
 * together, or while others are in flight, are one notification. So no commit waits for PostgreSQL's lock on
 * notifications, and each process is woken once for many (`pnpm bench instances`).
 * @returns a function that takes `<channel> <payload>`, and resolves when it is sent
 */
export function batchAnnouncements(db: Kysely<Database>): (announcement: string) => Promise<undefined> {
  return batch(
    async (announcements: readonly string[]) => {
      await sql`select pg_notify(${sql.lit(BATCH_CHANNEL)}, ${announcements.join("\n")})`.execute(db);
      return announcements.map(() => undefined);
    },
    { maxItems: MAX_BATCH, inFlight: 1 },
  );
}
