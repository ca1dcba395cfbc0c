import { cancelQueued } from "@grove/auth";
import { type Database, notification, type SettledCommand, settleCommands } from "@grove/db";
import { MAX_SENDS } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { isOnline } from "../../devices/presence";
import { alone } from "../../lib/alone";
import { countSettled } from "../../metrics/metrics";
import type { Services } from "../../services";
import { mayAsk } from "../stream/openRows";

/** The times after which a sweep gives up on a device. */
export interface SweepTimes {
  /** The device enforces the time-out of its work itself. It gets this much longer to report how the work ended. */
  reportMs: number;
  /** A device that is present must begin a command within this time, or is sent it again. */
  beginMs: number;
}

const REPORT_MS = 30_000;
const BEGIN_MS = 60_000;

const ms = (count: number | RawBuilder<unknown>) => sql`${count} * interval '1 millisecond'`;

/**
 * Settles, by the database's clock alone, the commands that nobody else will, and notifies the callers that wait for
 * them:
 * - cancels commands whose requester lost access,
 * - expires commands that waited too long for a device,
 * - times out commands that ran too long,
 * - requeues commands that a present device was sent and never began, and fails them the third time.
 *
 * @param mayGiveUp called once the database answers: whether devices have been able to report until now
 */
export async function sweep(services: Services, mayGiveUp = () => true): Promise<void> {
  const { reportMs = REPORT_MS, beginMs = BEGIN_MS } = services.config.sweeper ?? {};
  const settled = await alone(services.database.db, "sweeping", async (trx) => {
    if (!mayGiveUp()) return [];
    const overdue = sql`queue_expires_at < now()`;
    const overtime = (since: string) =>
      sql`${sql.ref(since)} + ${ms(sql`(timeout_ms + ${sql.lit(reportMs)})`)} < now()`;
    return [
      await cancelQueued(trx, sql`attempt = 0 and not ${mayAsk}`),
      await settleCommands(trx, {
        to: "expired",
        which: sql`${overdue} and attempt = 0`,
        error: {
          reason: "queue_expired",
          message: "No connected device took the command before its time in the queue ran out.",
        },
      }),
      await settleCommands(trx, {
        to: "expired",
        which: sql`${overdue} and attempt > 0`,
        error: {
          reason: "queue_expired",
          message:
            "The device was sent the command, did not report that it had begun, and did not come back for it before its time in the queue ran out. Look at the machine before you run it again.",
        },
      }),
      await settleCommands(trx, {
        to: "timed_out",
        which: sql`status = 'running' and ${overtime("started_at")}`,
        error: {
          reason: "timed_out",
          message: "The work took longer than its time-out, and the device did not report an end.",
        },
      }),
      await giveBack(trx, beginMs),
      // The command may not have been begun, so it waits for its device as long as its caller allowed.
      await settleCommands(trx, {
        to: "lost",
        which: sql`status = 'claimed' and ${overdue} and ${overtime("claimed_at")}`,
        error: {
          reason: "not_reported",
          message:
            "The command was handed out for its device, which did not report whether it began. Look at the machine.",
        },
      }),
    ].flat();
  });
  countSettled(services, settled);
}

/**
 * Requeues commands that were sent a minute ago to a device that is present with the same journal, and are not begun.
 * The row keeps the journal: if that device did begin, only its journal may be asked again. The command's time in the
 * queue may have run out since; it is extended so that the device can take the command again.
 */
async function giveBack(trx: Transaction<Database>, beginMs: number): Promise<SettledCommand[]> {
  const notBegun = sql`status = 'claimed' and claimed_at < now() - ${ms(sql.lit(beginMs))} and exists (
    select from devices where devices.id = device_commands.device_id
      and devices.organization_id = device_commands.organization_id
      and devices.journal_id = device_commands.journal_id and ${isOnline})`;
  const failed = await settleCommands(trx, {
    to: "failed",
    which: sql`attempt >= ${sql.lit(MAX_SENDS)} and ${notBegun}`,
    error: {
      reason: "not_started",
      message: `The command was sent ${MAX_SENDS} times, and the device never began it.`,
    },
  });
  await sql`
    with requeued as (
      update device_commands set status = 'queued', claimed_at = null,
        queue_expires_at = greatest(queue_expires_at, now() + ${ms(sql.lit(beginMs))})
      where ${notBegun}
      returning device_id)
    select ${notification("device_wake", sql`device_id::text`)} as announced from requeued
  `.execute(trx);
  return failed;
}
