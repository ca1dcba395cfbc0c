import { type Kysely, sql } from "kysely";
import { batch } from "../batch";
import type { Database } from "../tables";

/** The PostgreSQL channel of announcements that were made after a commit. */
export const BATCH_CHANNEL = "announcements";

/** An announcement has less than 200 bytes, and PostgreSQL accepts payloads of less than 8 000 bytes. */
const MAX_BATCH = 39;

/**
 * Sends announcements to the other processes, after the commit of the announced change. Announcements that are
 * made together, or while others are in flight, are sent as one notification. So no commit waits for PostgreSQL's lock
 * on notifications, and each process is woken once for many announcements (`pnpm bench instances`).
 * @returns a function that sends `<channel> <payload>`, and resolves when that was sent
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
