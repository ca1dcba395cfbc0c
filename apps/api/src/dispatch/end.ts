import { type Database, gather, notification } from "@grove/db";
import type { CommandError, CommandStatus } from "@grove/schemas";
import { type CompiledQuery, type Kysely, sql } from "kysely";
import type { CommandRow } from "./commands";
import { isOneOfFew, MOST_AT_ONCE } from "./few";

/** A device's word on how a command ended, and what the row must be for it to count. */
export interface End {
  organization_id: string;
  device_id: string;
  id: string;
  /** The journal that must have claimed it. */
  journal_id: string;
  status: CommandStatus;
  /** The states that lead there. */
  before: CommandStatus[];
  result?: unknown;
  error?: CommandError | undefined;
}

export interface Ended {
  /** From its submission. */
  seconds: number;
  /** Only when somebody here waits for it: a result may be large. */
  row: CommandRow | undefined;
}

/** With more under way they would wait for one another all the same: PostgreSQL commits what announces one by one. */
const UNDER_WAY = 2;

/**
 * Settles a command as its device says; undefined when what it says does not count. Ends that come together are one
 * statement and one commit.
 */
export function gatherEnds(db: Kysely<Database>, isAwaited: (commandId: string) => boolean) {
  // Compiled once: that takes as long as to send it.
  const [brief, whole] = [sql`command.id`, sql`command.*`].map((columns) =>
    sql`
      update device_commands as command
      set status = report.status, started_at = coalesce(started_at, claimed_at), finished_at = now(),
        result = report.result, error = report.error
      from json_to_recordset(${"ends"}::json) as report (
        n integer, organization_id uuid, device_id uuid, id uuid, journal_id uuid, status text, before text[],
        result jsonb, error jsonb)
      where command.organization_id = report.organization_id and command.id = report.id
        and command.device_id = report.device_id and command.journal_id = report.journal_id
        and command.status = any(report.before)
        and ${isOneOfFew}
      returning n, ${columns}, extract(epoch from finished_at - created_at)::float8 as seconds,
        ${notification("command_changed", sql`command.id || ' ' || command.status`)}
    `.compile(db),
  );
  return gather<End, Ended | undefined>(
    async (ends) => {
      const awaited = ends.some(({ id }) => isAwaited(id));
      const numbered = ends.map((end, n) => ({ n, ...end }));
      // Whoever locks several commands takes the oldest first.
      numbered.sort((a, b) => (a.id < b.id ? -1 : 1));
      const { rows } = await db.executeQuery<CommandRow & { n: number; seconds: number }>({
        ...((awaited ? whole : brief) as CompiledQuery),
        parameters: [JSON.stringify(numbered)],
      });
      const byNumber = new Map(
        rows.map((row) => [row.n, { seconds: row.seconds, row: awaited ? row : undefined }]),
      );
      return ends.map((_, n) => byNumber.get(n));
    },
    { most: MOST_AT_ONCE, underWay: UNDER_WAY },
  );
}
