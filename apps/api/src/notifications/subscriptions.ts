import { createHash } from "node:crypto";
import { GroveError, type SessionPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import type { PushSubscriptionItem, PushSubscriptions, userSubscribePushInput } from "@grove/schemas";
import { sql } from "kysely";
import type * as z from "zod";
import { pushSubscriptionIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { requirePushHost } from "./pushHosts";
import { readPushKeys } from "./vapid";

const columns = ["id", "label", "created_at", "last_used_at", "session_id"] as const;

interface Row {
  id: string;
  label: string;
  created_at: string;
  last_used_at: string;
  session_id: string;
}

const toPushSubscription = (row: Row, { sessionId }: SessionPrincipal): PushSubscriptionItem => ({
  id: row.id,
  label: row.label,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  current: row.session_id === sessionId,
});

/** Lists the user's browsers, newest first, with the public key for subscribing another one. */
export async function listSubscriptions(
  { database: { db }, vault }: Pick<Services, "database" | "vault">,
  principal: SessionPrincipal,
): Promise<PushSubscriptions> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .select(columns)
    .where("user_id", "=", principal.user.id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const { publicKey } = await readPushKeys(db, vault);
  return { publicKey, subscriptions: rows.map((row) => toPushSubscription(row, principal)) };
}

/**
 * Stores a browser's subscription. Subscribing the same endpoint again renews it for the calling session.
 * @throws {GroveError} BAD_REQUEST `push_host_refused`; PRECONDITION_FAILED `quota_exceeded`
 */
export async function subscribe(
  services: Pick<Services, "config" | "database" | "integrations" | "quotas" | "vault">,
  principal: SessionPrincipal,
  { label, ...subscription }: z.output<typeof userSubscribePushInput>,
): Promise<PushSubscriptionItem> {
  requirePushHost(services, subscription.endpoint);
  const userId = principal.user.id;
  const hash = createHash("sha256").update(subscription.endpoint).digest("hex");
  return services.database.db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom("push_subscriptions")
      .select("id")
      .where("user_id", "=", userId)
      .where("endpoint_hash", "=", hash)
      .forUpdate()
      .executeTakeFirst();
    if (!known) await services.quotas.take(trx, "pushSubscriptions", userId);
    const id = known?.id ?? newId();
    const sealed = services.vault.seal(
      JSON.stringify(subscription),
      pushSubscriptionIdentity({ user_id: userId, id }),
    );
    const values = { session_id: principal.sessionId, sealed, label };
    const row = await (known
      ? trx
          .updateTable("push_subscriptions")
          .set({ ...values, last_used_at: sql<string>`now()` })
          .where("id", "=", id)
          .returning(columns)
          .executeTakeFirstOrThrow()
      : trx
          .insertInto("push_subscriptions")
          .values({ ...values, id, user_id: userId, endpoint_hash: hash })
          .returning(columns)
          .executeTakeFirstOrThrow());
    return toPushSubscription(row, principal);
  });
}

/** @throws {GroveError} NOT_FOUND */
export async function unsubscribe(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  id: string,
): Promise<void> {
  const deleted = await database.db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", principal.user.id)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  if (deleted) return;
  throw new GroveError("NOT_FOUND", `You have no subscribed browser ${id}.`, {
    details: { missing: "push subscription" },
  });
}
