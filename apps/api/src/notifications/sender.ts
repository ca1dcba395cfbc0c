import { messageOf } from "@grove/schemas";
import { sql } from "kysely";
import { startWorkLoop } from "../lib/workLoop";
import type { Services } from "../services";
import { toMessage } from "./message";
import { type Leased, leaseDue } from "./notificationLease";
import type { Outcome } from "./post";
import { sendPushes } from "./push";
import { sendToTarget } from "./targets";

/** The most notifications that one process sends at the same time. */
const MAX_SENDING = 50;
/** The most notifications of one lease. */
const LEASE_BATCH = 20;
/** How often a notification is tried before it counts as failed. */
const MAX_SEND_ATTEMPTS = 5;
/** The base of the delay before a retry. The delay doubles with each attempt, including the first. */
const RETRY_DELAY = sql`interval '5 seconds'`;

/**
 * Sends notifications when they are due. Any number of processes may do so. A slow receiver does not delay the others.
 * @returns a function that stops the sender, once the notifications in progress are sent
 */
export function startSender(services: Services): () => Promise<void> {
  const { database, draining, log } = services;
  const sending = new Set<Promise<void>>();
  const startAll = async (wake: () => void): Promise<number | null> => {
    while (sending.size < MAX_SENDING && !draining.aborted) {
      const rows = await leaseDue(database.db, Math.min(LEASE_BATCH, MAX_SENDING - sending.size));
      for (const row of rows) {
        const sent = send(services, row)
          .catch((error) =>
            log.error({ err: error, notificationId: row.id }, "could not send a notification"),
          )
          .then(() => {
            sending.delete(sent);
            wake();
          });
        sending.add(sent);
      }
      if (rows.length === 0) break;
    }
    return sending.size < MAX_SENDING ? untilDue(services) : null;
  };
  const stop = startWorkLoop(services, {
    channel: "notification_due",
    run: startAll,
    failure: "could not read the notifications that are due",
  });
  return async () => {
    await stop();
    await Promise.all(sending);
  };
}

/** Returns the milliseconds until the next notification is due; null if there is none. */
async function untilDue({ database }: Pick<Services, "database">): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from least(
      (select min(not_before) from notification_outbox where delivery_state = 'due'),
      (select min(leased_until) from notification_outbox where delivery_state = 'sending')) - now()) * 1000)::float8 as wait`.execute(
    database.db,
  );
  return rows[0]?.wait ?? null;
}

/** Sends one notification, and records its outcome. */
async function send(services: Services, row: Leased): Promise<void> {
  const message = toMessage(row, services.consoleUrl);
  const attempt = row.channel === "push" ? sendPushes : sendToTarget;
  const outcome = await attempt(services, row, message).catch((error): Outcome => {
    services.log.warn({ err: error, notificationId: row.id }, "could not send a notification");
    return { state: "failed", error: messageOf(error) };
  });
  await settle(services, row, outcome);
}

/** Records an outcome, unless the lease has expired and another process has leased the notification. */
async function settle(
  { database }: Pick<Services, "database">,
  { organization_id, id, attempts }: Leased,
  outcome: Outcome,
): Promise<void> {
  const willRetry = outcome.state === "retry" && attempts < MAX_SEND_ATTEMPTS;
  const state = outcome.state === "retry" ? "failed" : outcome.state;
  await database.db
    .updateTable("notification_outbox")
    .set({
      delivery_state: willRetry ? "due" : state,
      leased_until: null,
      error: outcome.state === "sent" ? null : outcome.error.slice(0, 500),
      ...(willRetry && { not_before: sql<string>`now() + ${RETRY_DELAY} * power(2, attempts)` }),
    })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("delivery_state", "=", "sending")
    .where("attempts", "=", attempts)
    .execute();
}
