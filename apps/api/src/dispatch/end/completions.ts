import { EventEmitter } from "node:events";
import { deviceKeyIsValid } from "@grove/auth";
import {
  batchedStatement,
  type Database,
  endGates,
  lockWithin,
  type Measure,
  type Notifier,
  settledParams,
  weekRange,
} from "@grove/db";
import type { CommandError, CommandStatus } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { CommandRow } from "../command";

/** A device's report of a command's end, with the conditions under which it is accepted. */
export interface EndReport {
  organization_id: string;
  device_id: string;
  /** The hash of the device's key. The key must be valid. */
  key_hash: string;
  id: string;
  /** The journal that must have claimed the command. */
  journal_id: string;
  status: CommandStatus;
  /** The row must be in one of these states. */
  from_states: CommandStatus[];
  result?: NonNullable<unknown> | null;
  error?: CommandError | undefined;
  /** The span of the report. */
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
/**
 * How long a statement waits for a row that another transaction has locked. After that, its reports are tried one by
 * one.
 */
const LOCK_MS = 1_000;

/**
 * Settles commands as their devices report. Passes each end directly to the callers in this process that wait for it,
 * which saves a notification and a read.
 */
export class Completions {
  /**
   * Settles a command in one statement and one commit with others of the same batch. Returns undefined if the report is
   * not accepted.
   */
  readonly settle: (end: EndReport) => Promise<Ended | undefined>;
  readonly #settling = new Set<string>();
  readonly #settled = new EventEmitter<Record<string, [EndedColumns | undefined]>>().setMaxListeners(0);

  constructor(db: Kysely<Database>, notifier: Pick<Notifier, "announce">, measure?: Measure<EndReport>) {
    this.settle = batchEnds(db, notifier, measure);
  }

  /** Runs {@link settle} for a command, and hands the result to the callers that wait. */
  async handOver(commandId: string, settle: () => Promise<Ended | undefined>): Promise<Ended | undefined> {
    this.#settling.add(commandId);
    let ended: Ended | undefined;
    try {
      ended = await settle();
      return ended;
    } finally {
      this.#settling.delete(commandId);
      this.#settled.emit(commandId, ended?.columns);
    }
  }

  /**
   * Calls `listener` when the command is settled through this process: with the changed columns, or without them if the
   * database did not confirm the report. Returns a function that unsubscribes.
   */
  onSettled(commandId: string, listener: (ended: EndedColumns | undefined) => void): () => void {
    this.#settled.on(commandId, listener);
    return () => this.#settled.off(commandId, listener);
  }

  /** Whether an end is about to be handed over. Its announcement may come first, and is redundant. */
  isSettling(commandId: string): boolean {
    return this.#settling.has(commandId);
  }
}

function batchEnds(db: Kysely<Database>, notifier: Pick<Notifier, "announce">, measure?: Measure<EndReport>) {
  const settle = batchedStatement<EndReport, EndedRow>(
    db,
    {
      organization_id: "uuid",
      device_id: "uuid",
      key_hash: "text",
      id: "uuid",
      journal_id: "uuid",
      status: "text",
      from_states: "text[]",
      result: "jsonb",
      error: "jsonb",
      trace_parent: "text",
    },
    (given, ids) => sql<EndedRow>`
      with ${given},
      ended as (
        update device_commands as command
        set status = given.status, started_at = coalesce(started_at, claimed_at), finished_at = now(),
          result = given.result, error = given.error, params = ${settledParams}
        from given
        where command.organization_id = given.organization_id and command.id = given.id
          and ${weekRange("command.id", ids)} and command.device_id = given.device_id
          and command.journal_id = given.journal_id and command.status = any(given.from_states)
          and ${lockWithin(LOCK_MS)} and ${deviceKeyIsValid(sql`given.device_id`, sql`given.key_hash`)}
        returning n, command.organization_id, command.id, tool,
          ${sql.join(changedColumns.map((column) => sql.ref(`command.${column}`)))},
          case when tool = 'run_gate' then command.result end as result,
          extract(epoch from finished_at - created_at)::float8 as seconds),
      gates as (${endGates("ended")})
      select n, ${sql.join(changedColumns.map((column) => sql.ref(column)))}, seconds from ended
    `,
    { inFlight: IN_FLIGHT, measure, byWeek: true },
  );
  return async (end: EndReport): Promise<Ended | undefined> => {
    const row = await settle(end);
    if (!row) return undefined;
    notifier.announce("command_changed", `${end.id} ${end.status}`);
    const { n, seconds, ...changed } = row;
    const { result = null, error = null } = end;
    return { seconds, columns: { ...changed, result, error }, organizationId: end.organization_id };
  };
}
