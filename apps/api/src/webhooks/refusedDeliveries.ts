import { id as idSchema, type RefusedDeliveryReason } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";

const reasons = new Map<number, RefusedDeliveryReason>([
  [400, "malformed"],
  [401, "unverified"],
  [413, "too_large"],
  [415, "compressed"],
  [429, "rate_limited"],
]);

/**
 * Counts a refused delivery at its webhook. An unknown webhook, and a response that makes the provider try again, are
 * not counted, and beyond 60 a minute none is. A failure is only logged: the delivery gets its own response.
 */
export async function recordRefusal(
  services: Pick<Services, "database" | "limits" | "log">,
  given: string,
  status: number,
): Promise<void> {
  const reason = reasons.get(status);
  const { data: id } = idSchema.safeParse(given);
  if (reason === undefined || id === undefined) return;
  try {
    services.limits.refusedDeliveries.take(id);
  } catch {
    return;
  }
  try {
    await services.database.db
      .updateTable("integration_webhooks")
      .set({
        refused_count: sql`least(refused_count, 2147483646) + 1`,
        refused_at: sql<string>`now()`,
        refused_reason: reason,
      })
      // Only the webhook's id is known: its address contains it.
      .where("id", "=", id)
      .execute();
  } catch (error) {
    services.log.warn({ err: error, webhookId: id }, "could not count a refused delivery");
  }
}
