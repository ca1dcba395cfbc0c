import { cancelQueued } from "@grove/auth";
import { type Database, deviceNotification, type SettledCommand, settleCommands } from "@grove/db";
import { MAX_SENDS } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { isOnline } from "../../devices/presence";
import { tryWithAdvisoryLock } from "../../lib/advisoryLock";
import { milliseconds } from "../../lib/interval";
import type { Services } from "../../services";
import { requesterHasAccess } from "../stream/openRows";

const REPORT_MS = 30_000;
const BEGIN_MS = 60_000;
/** The most commands that one transaction settles. It locks their rows. */
const SLICE = 1_000;

/** Selects a slice of the commands that meet a condition. Skips rows that are being settled until the next sweep. */
const sliceOf = (which: RawBuilder<unknown>) => sql<boolean>`id = any (array(
  select id from device_commands where ${which} limit ${sql.lit(SLICE)} for update skip locked))`;

/** The commands that the sweep settles for one reason, and how. */
interface Rule {
  which: RawBuilder<unknown>;
  apply(trx: Transaction<Database>, slice: RawBuilder<boolean>): Promise<Changed>;
}

interface Changed {
  count: number;
  settled: SettledCommand[];
}

/** The moment at which a slice begins, on both clocks. */
export interface SliceStart {
  /** The clock of `performance.now()`, before the transaction began. */
  steadyMs: number;
  databaseMs: number;
}

/**
 * Settles the commands that no report will settle, by the database's clock alone, and notifies their callers:
 * - cancels commands whose requester lost access,
 * - expires commands that waited too long for a device,
 * - times out commands that ran too long,
 * - requeues commands that a present device was sent and never began, and fails them the third time.
 *
 * Works in slices, each in its own transaction, so that a backlog of any size is settled.
 * @param mayGiveUp called when a slice begins: whether devices have been able to report until then
 */
export async function sweep(
  services: Pick<Services, "config" | "database" | "metrics">,
  mayGiveUp: (start: SliceStart) => boolean = () => true,
): Promise<void> {
  const { reportMs = REPORT_MS, beginMs = BEGIN_MS } = services.config.sweeper ?? {};
  for (const rule of rules(reportMs, beginMs))
    for (let changed = SLICE; changed === SLICE; ) {
      const steadyMs = performance.now();
      const outcome = await tryWithAdvisoryLock(services.database.db, "sweeping", async (trx) => {
        const { rows } = await sql<{ ms: number }>`
          select extract(epoch from now())::float8 * 1000 as ms`.execute(trx);
        return mayGiveUp({ steadyMs, databaseMs: rows[0]?.ms ?? 0 })
          ? rule.apply(trx, sliceOf(rule.which))
          : undefined;
      });
      if (outcome === undefined) return;
      services.metrics?.settled(outcome.settled);
      changed = outcome.count;
    }
}

function rules(reportMs: number, beginMs: number): Rule[] {
  const overdue = sql`queue_expires_at < now()`;
  const overtime = (since: string) =>
    sql`${sql.ref(since)} + ${milliseconds(sql`(timeout_ms + ${sql.lit(reportMs)})`)} < now()`;
  const notBegun = sql`status = 'claimed' and claimed_at < now() - ${milliseconds(beginMs)} and exists (
    select from devices where devices.id = device_commands.device_id
      and devices.organization_id = device_commands.organization_id
      and devices.journal_id = device_commands.journal_id and ${isOnline})`;
  return [
    {
      which: sql`status = 'queued' and attempt = 0 and not ${requesterHasAccess}`,
      apply: async (trx, slice) => settledOnly(await cancelQueued(trx, slice)),
    },
    settling("expired", sql`status = 'queued' and ${overdue} and attempt = 0`, {
      reason: "queue_expired",
      message: "The device did not connect before the command's time in the queue ran out.",
    }),
    settling("expired", sql`status = 'queued' and ${overdue} and attempt > 0`, {
      reason: "queue_expired",
      message:
        "The command was sent to the device, but no start was reported before its time in the queue ran out. Check the machine before you run it again.",
    }),
    settling("timed_out", sql`status = 'running' and ${overtime("started_at")}`, {
      reason: "timed_out",
      message: "The work took longer than its time-out, and the device did not report an end.",
    }),
    settling("failed", sql`attempt >= ${sql.lit(MAX_SENDS)} and ${notBegun}`, {
      reason: "not_started",
      message: `The command was sent ${MAX_SENDS} times, and the device never began it.`,
    }),
    { which: notBegun, apply: (trx, slice) => requeue(trx, slice, beginMs) },
    // The command may not have been begun, so it waits for its device as long as its caller allowed.
    settling("lost", sql`status = 'claimed' and ${overdue} and ${overtime("claimed_at")}`, {
      reason: "not_reported",
      message: "The command was sent to its device, which reported no start. Check the machine.",
    }),
  ];
}

const settling = (
  to: Parameters<typeof settleCommands>[1]["to"],
  which: RawBuilder<unknown>,
  error: Parameters<typeof settleCommands>[1]["error"],
): Rule => ({
  which,
  apply: async (trx, slice) => settledOnly(await settleCommands(trx, { to, which: slice, error })),
});

const settledOnly = (settled: SettledCommand[]): Changed => ({ count: settled.length, settled });

/**
 * Requeues commands that were sent a minute ago to a device that is present with the same journal, and are not begun.
 * The row keeps the journal: if that device did begin, the command may be sent only to its journal again. The command's
 * time in the queue may have run out since; it is extended so that the device can take the command again.
 */
async function requeue(
  trx: Transaction<Database>,
  slice: RawBuilder<boolean>,
  beginMs: number,
): Promise<Changed> {
  const { rows } = await sql`
    with requeued as (
      update device_commands set status = 'queued', claimed_at = null,
        queue_expires_at = greatest(queue_expires_at, now() + ${milliseconds(beginMs)})
      where ${slice}
      returning device_id)
    select ${deviceNotification(sql`device_id`, { kind: "queued" })} as announced from requeued
  `.execute(trx);
  return { count: rows.length, settled: [] };
}
