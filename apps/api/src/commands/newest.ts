import { inRecentWeeks, recentWeeks, timeOfId } from "@grove/db";
import { MIN_PAGE } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";

/**
 * The largest difference between the time in a command's id, by an instance's clock, and in its row, by the database's.
 */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

/**
 * Returns a page of commands, newest first. Reads the partitions of two weeks, and all partitions only if these have
 * too few rows.
 * @param read reads a page of the commands for which the condition holds
 */
export async function newestCommands<Row extends { created_at: string }>(
  read: (condition: RawBuilder<boolean>) => Promise<Row[]>,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Row[]> {
  const time = after === undefined ? Date.now() : timeOfId(after).getTime();
  const recent = await read(inRecentWeeks("device_commands.id", time));
  const last = recent.at(Math.min(limit, MIN_PAGE) - 1) && recent.at(-1);
  const isComplete =
    last && Date.parse(last.created_at) > recentWeeks(time).from.getTime() + MAX_CLOCK_DIFFERENCE_MS;
  return isComplete ? recent : read(sql`true`);
}
