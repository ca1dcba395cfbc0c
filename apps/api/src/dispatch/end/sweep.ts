import { cancelQueued } from "@grove/auth";
import { type Database, notification, type SettledCommand, settleCommands } from "@grove/db";
import { MAX_SENDS } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { alone } from "../../lib/alone";
import { countSettled } from "../../maintenance/metrics";
import type { Services } from "../../services";
import { mayAsk } from "../stream/openRows";

/** When the sweeper gives up on a device. */
export interface SweeperTimes {
  everyMs: number;
  /** After a start or an outage nothing is given up at first: devices need time to come back and report. */
  graceMs: number;
  /** The device keeps the time of its work itself. It gets this much longer to say how the work ended. */
  reportMs: number;
  /** A present device begins what it was sent within this, or is sent it again. */
  beginMs: number;
}

export const sweeperTimes: SweeperTimes = {
  everyMs: 10_000,
  graceMs: 60_000,
  reportMs: 30_000,
  beginMs: 60_000,
};

const ms = (count: number | RawBuilder<unknown>) => sql`${count} * interval '1 millisecond'`;

/**
 * Settles, by the database's clock alone, the commands that nobody else will. Cancels those whose requester lost access,
 * expires those that waited too long for a device, and times out those that ran too long. Gives back what a present device
 * was sent and never began; the third time that fails. Callers who wait for one of them hear of it.
 * @param mayGiveUp asked once the database answers: whether devices could report until now
 */
export async function sweep(services: Services, mayGiveUp = () => true): Promise<void> {
  const { reportMs, beginMs } = { ...sweeperTimes, ...services.config.sweeper };
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
            "The device was sent the command, said nothing of having begun it, and did not come back for it before its time in the queue ran out. Look at the machine before you run it again.",
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
      // Nobody knows that it was begun, so it waits for its device as long as its caller allowed.
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
 * Sent a minute ago to a device that is present with the same journal, and still not begun. The row keeps the journal:
 * should it have begun after all, only that one may be asked again. Its time in the queue may have run out since it was
 * taken; the present device is given the time to take it again.
 */
async function giveBack(trx: Transaction<Database>, beginMs: number): Promise<SettledCommand[]> {
  const notBegun = sql`status = 'claimed' and claimed_at < now() - ${ms(sql.lit(beginMs))} and exists (
    select from devices where devices.id = device_commands.device_id
      and devices.organization_id = device_commands.organization_id
      and devices.journal_id = device_commands.journal_id and devices.present_until > now())`;
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
    select ${notification("device_wake", sql`device_id::text`)} from requeued
  `.execute(trx);
  return failed;
}
