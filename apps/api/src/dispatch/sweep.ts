import { deleteExpiredSessions, deleteExpiredTokens } from "@grove/auth";
import { type Database, notification } from "@grove/db";
import type { CommandStatus } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { deleteOutdated } from "../retention";
import type { Services } from "../services";

const EVERY_MS = 10_000;
/** After a start or a reconnect nothing is given up at first: devices need time to come back and report. */
const GRACE_MS = 60_000;
/** Advisory lock: one instance sweeps at a time. The number is arbitrary; only this file uses it. */
const LOCK = 7_236_001;

/**
 * Settles, by the database's clock alone, what nobody else will: expires what waited too long for a device, times out
 * what ran too long, gives back what a device that is present was sent and never began (the third time it fails),
 * and deletes what was settled 30 days ago, sessions and tokens that have expired, and what else is kept for a time.
 * @returns a function that ends the sweeping
 */
export function startSweeper(services: Services): () => void {
  let notBefore = performance.now() + GRACE_MS;
  const unsubscribe = services.database.notifier.onReconnect(() => {
    notBefore = performance.now() + GRACE_MS;
  });
  let running = Promise.resolve();
  const timer = setInterval(() => {
    if (performance.now() < notBefore) return;
    running = running
      .then(() => sweep(services))
      .then(() => deleteExpiredSessions(services.auth))
      .then(() => deleteExpiredTokens(services.auth))
      .then(() => deleteOutdated(services.database.db))
      .catch((error) => services.log.error({ err: error }, "could not sweep device commands"));
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** One round. Each step is a statement of its own; a caller that waits hears of it. */
export async function sweep(services: Services): Promise<void> {
  await services.database.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as ours`.execute(
      trx,
    );
    if (!rows[0]?.ours) return;
    const overdue = sql`status = 'queued' and queue_expires_at < now()`;
    await settle(services, trx, "expired", sql`${overdue} and attempt = 0`, {
      reason: "queue_expired",
      message: "No connected device took the command before its time in the queue ran out.",
    });
    await settle(services, trx, "expired", sql`${overdue} and attempt > 0`, {
      reason: "queue_expired",
      message:
        "The device was sent the command, said nothing of having begun it, and did not come back for it before its time in the queue ran out. Look at the machine before you run it again.",
    });
    // The device keeps the time itself and gets a little longer to say so.
    const overtime = sql`coalesce(started_at, claimed_at) + (timeout_ms + 30000) * interval '1 millisecond' < now()`;
    await settle(services, trx, "timed_out", sql`status = 'running' and ${overtime}`, {
      reason: "timed_out",
      message: "The work took longer than its time-out, and the device did not report an end.",
    });
    await giveBack(services, trx);
    await settle(services, trx, "lost", sql`status = 'claimed' and ${overtime}`, {
      reason: "not_reported",
      message:
        "The command was handed out for its device, which did not report whether it began. Look at the machine.",
    });
    await sql`delete from device_commands where finished_at < now() - interval '30 days'`.execute(trx);
  });
}

async function settle(
  services: Services,
  trx: Transaction<Database>,
  to: CommandStatus,
  where: RawBuilder<unknown>,
  error: { reason: string; message: string },
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    with settled as (
      update device_commands set status = ${to}, finished_at = now(), error = ${JSON.stringify(error)}::jsonb
      where ${where}
      returning id, device_id, extract(epoch from finished_at - created_at)::float8 as seconds)
    select seconds, ${notification("command_changed", sql`id::text || ${` ${to}`}::text`)},
      ${notification("device_wake", sql`device_id::text || ' settled ' || id::text`)}
    from settled
  `.execute(trx);
  services.metrics?.settled(
    to,
    rows.map(({ seconds }) => seconds),
  );
}

/**
 * Sent a minute ago to a device that is present with the same journal, and still not begun. The row keeps the journal:
 * should it have begun after all, only that one may be asked again. Its time in the queue may have run out since it was
 * taken; the present device is given the time to take it again.
 */
async function giveBack(services: Services, trx: Transaction<Database>): Promise<void> {
  const notBegun = sql`status = 'claimed' and claimed_at < now() - interval '60 seconds' and exists (
    select from devices where devices.id = device_commands.device_id
      and devices.organization_id = device_commands.organization_id
      and devices.journal_id = device_commands.journal_id and devices.present_until > now())`;
  await settle(services, trx, "failed", sql`attempt >= 3 and ${notBegun}`, {
    reason: "not_started",
    message: "The command was sent three times, and the device never began it.",
  });
  await sql`
    with requeued as (
      update device_commands set status = 'queued', claimed_at = null,
        queue_expires_at = greatest(queue_expires_at, now() + interval '60 seconds')
      where ${notBegun}
      returning device_id)
    select ${notification("device_wake", sql`device_id::text`)} from requeued
  `.execute(trx);
}
