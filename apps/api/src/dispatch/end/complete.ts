import { deviceKeyIsValid } from "@grove/auth";
import {
  type Around,
  batchedStatement,
  type Database,
  lockWithin,
  type Notifier,
  settledParams,
  weekRange,
} from "@grove/db";
import type { CommandError, CommandStatus } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { CommandRow } from "../command";

/** How a device reports a command's end, and the state that the row must be in for the report to be accepted. */
export interface End {
  organization_id: string;
  device_id: string;
  /** The hash of the device's key. The key must be in force. */
  key_hash: string;
  id: string;
  /** The journal that must have claimed the command. */
  journal_id: string;
  status: CommandStatus;
  /** The states from which a command may get that status. */
  before: CommandStatus[];
  result?: NonNullable<unknown> | null;
  error?: CommandError | undefined;
  /** The span that it is reported in. */
  trace_parent?: string | undefined;
}

/** The columns that ending a command changes, and others that may have changed since its submission. */
const changedColumns = [
  "status",
  "attempt",
  "journal_id",
  "progress",
  "cancel_requested_at",
  "claimed_at",
  "started_at",
  "finished_at",
] as const;
export type EndedColumns = Pick<CommandRow, (typeof changedColumns)[number] | "result" | "error">;

interface EndedRow extends Omit<EndedColumns, "result" | "error"> {
  n: number;
  seconds: number;
}

export interface Ended {
  /** The command's duration, from its submission. */
  seconds: number;
  columns: EndedColumns;
  organizationId: string;
}

/** Batches in flight. Later reports join the next batch; with four in flight, throughput drops. */
const IN_FLIGHT = 2;
/** How long a statement waits for a row that another transaction has locked. Then its reports are tried one by one. */
const LOCK_MS = 1_000;

/**
 * Settles a command as its device reports, in one statement and one commit with others of the same batch. Returns
 * undefined if the report is not accepted.
 */
export function batchEnds(db: Kysely<Database>, notifier: Pick<Notifier, "announce">, around?: Around<End>) {
  const complete = batchedStatement<End, EndedRow>(
    db,
    {
      organization_id: "uuid",
      device_id: "uuid",
      key_hash: "text",
      id: "uuid",
      journal_id: "uuid",
      status: "text",
      before: "text[]",
      result: "jsonb",
      error: "jsonb",
      trace_parent: "text",
    },
    (given, ids) => sql<EndedRow>`
      with ${given}
      update device_commands as command
      set status = given.status, started_at = coalesce(started_at, claimed_at), finished_at = now(),
        result = given.result, error = given.error, params = ${settledParams}
      from given
      where command.organization_id = given.organization_id and command.id = given.id and ${weekRange("command.id", ids)}
        and command.device_id = given.device_id and command.journal_id = given.journal_id
        and command.status = any(given.before) and ${lockWithin(LOCK_MS)}
        and ${deviceKeyIsValid(sql`given.device_id`, sql`given.key_hash`)}
      returning n, ${sql.join(changedColumns.map((column) => sql.ref(`command.${column}`)))},
        extract(epoch from finished_at - created_at)::float8 as seconds
    `,
    { inFlight: IN_FLIGHT, around, byWeek: true },
  );
  return async (end: End): Promise<Ended | undefined> => {
    const row = await complete(end);
    if (!row) return undefined;
    notifier.announce("command_changed", `${end.id} ${end.status}`);
    const { n, seconds, ...changed } = row;
    const { result = null, error = null } = end;
    return { seconds, columns: { ...changed, result, error }, organizationId: end.organization_id };
  };
}
