import type { PushSubscriptionTable } from "@grove/db";
import { type Selectable, sql } from "kysely";
import * as z from "zod";
import { pushSubscriptionIdentity } from "../secrets/identities";
import type { Services } from "../services";
import type { Message } from "./message";
import type { Leased } from "./notificationLease";
import { type Outcome, outcomeOfStatus, post } from "./post";
import { type PushKeys, readPushKeys } from "./vapid";

/** A push service drops a message that it could not deliver within this time. */
const TTL_SECONDS = 24 * 60 * 60;

/** The sealed part of a subscription. */
const sealedSubscription = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });

type Row = Pick<Selectable<PushSubscriptionTable>, "id" | "user_id" | "sealed">;

/** Sends a push to each of the user's browsers. Deletes subscriptions that have expired at their push services. */
export async function sendPushes(
  services: Pick<Services, "config" | "database" | "integrations" | "vault">,
  { user_id }: Leased,
  message: Message,
): Promise<Outcome> {
  const { db } = services.database;
  const rows = await db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.id", "push_subscriptions.session_id")
    .select(["push_subscriptions.id", "push_subscriptions.user_id", "sealed"])
    .where("push_subscriptions.user_id", "=", user_id)
    .where("sessions.expires_at", ">", sql<string>`now()`)
    .execute();
  if (rows.length === 0) return { state: "suppressed", error: "no_subscription" };
  const keys = await readPushKeys(db, services.vault);
  const outcomes = await Promise.all(rows.map((row) => sendPush(services, keys, row, message)));
  // A browser shows a repeated push only once, so a push is repeated if any browser may have missed it.
  return (
    outcomes.find(({ state }) => state === "retry") ??
    outcomes.find(({ state }) => state === "sent") ??
    outcomes[0] ?? { state: "sent" }
  );
}

async function sendPush(
  services: Pick<Services, "config" | "database" | "integrations" | "vault">,
  keys: PushKeys,
  row: Row,
  message: Message,
): Promise<Outcome> {
  const { db } = services.database;
  const answer = await post(services, await requestOf(services, keys, row, message));
  const isExpired = answer === 404 || answer === 410;
  if (isExpired) await db.deleteFrom("push_subscriptions").where("id", "=", row.id).execute();
  if (isExpired) return { state: "suppressed", error: "no_subscription" };
  const outcome = outcomeOfStatus(answer);
  if (outcome.state === "sent")
    await db
      .updateTable("push_subscriptions")
      .set({ last_used_at: sql<string>`now()` })
      .where("id", "=", row.id)
      .execute();
  // A push service replaces an earlier push of the same topic, so a push may be repeated.
  return outcome.state === "unknown" ? { ...outcome, state: "retry" } : outcome;
}

async function requestOf(
  { config, vault }: Pick<Services, "config" | "vault">,
  keys: PushKeys,
  row: Row,
  message: Message,
) {
  const { default: webPush } = await import("web-push");
  const { endpoint, ...browserKeys } = sealedSubscription.parse(
    JSON.parse(vault.open(row.sealed, pushSubscriptionIdentity(row))),
  );
  const subject = config.publicUrl?.startsWith("https:") ? config.publicUrl : "mailto:grove@localhost";
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: browserKeys },
    JSON.stringify(message),
    {
      vapidDetails: { subject, ...keys },
      TTL: TTL_SECONDS,
      urgency: message.kind === "needs_input" ? "high" : "normal",
      topic: message.id.replaceAll("-", ""),
    },
  );
  // fetch sets this header itself.
  const { "Content-Length": _, ...others } = headers;
  const strings = Object.entries(others).map(([name, value]) => [name, String(value)]);
  return { url: endpoint, headers: Object.fromEntries(strings) as Record<string, string>, body };
}
