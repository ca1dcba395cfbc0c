import { createHash } from "node:crypto";
import { GroveError } from "@grove/auth";
import { newId, notify } from "@grove/db";
import type { Delivery, DeliveryFacts, WebhookDefinition } from "@grove/integrations";
import { id as idSchema } from "@grove/schemas";
import { ZodError } from "zod";
import { recordIntegrationEvent } from "../integrations/integrationEvents";
import { integrationEventColumns, webhookNotFound } from "../integrations/row";
import { webhookIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { takeDeliveryBytes } from "./deliveryQuota";

/** How far a provider's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Accepts a delivery: verifies it, stores it, and leaves its effects to the queue. A repeated delivery, by its id or
 * its content, is accepted like a new one and changes nothing.
 * @throws {GroveError} NOT_FOUND for an unknown webhook; UNAUTHORIZED `unverified_delivery` for a wrong signature or an
 * old delivery; BAD_REQUEST for a body that is not the provider's; TOO_MANY_REQUESTS `rate_limited`;
 * PRECONDITION_FAILED `quota_exceeded` when deliveries that are still to be processed use up the quota
 */
export async function receive(services: Services, webhookId: string, delivery: Delivery): Promise<void> {
  const webhook = await findWebhook(services, webhookId);
  const { title, webhooks: definition } = services.integrations.provider(webhook.provider);
  if (!definition) throw webhookNotFound(webhookId);
  const secret = services.vault.open(webhook.sealed, webhookIdentity(webhook));
  if (!definition.isAuthentic(delivery, secret))
    throw unverified(`This delivery is not signed with the webhook's secret, which ${title} has.`);
  // Only signed deliveries are counted, so that strangers cannot use up the limit.
  services.limits.deliveries.take(webhook.id);
  const { facts, impliesChange } = readDelivery(title, definition, delivery);
  requireFresh(definition, facts);
  const bodyHash = createHash("sha256").update(delivery.body).digest("hex");
  // Most deliveries change nothing, among them the longest ones, such as large pushes.
  const payload = impliesChange ? delivery.body.toString("utf8") : null;
  await takeDeliveryBytes(services, webhook.organization_id, payload === null ? 0 : delivery.body.length);
  const { database } = services;
  await database.db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto("integration_events")
      .values({
        id: newId(),
        organization_id: webhook.organization_id,
        connection_id: webhook.connection_id,
        webhook_id: webhook.id,
        provider: webhook.provider,
        delivery_id: facts.id === null ? bodyHash : withoutControls(facts.id),
        body_hash: bodyHash,
        type: withoutControls(facts.type),
        repo: facts.repo === null ? null : withoutControls(facts.repo),
        payload,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(integrationEventColumns)
      .executeTakeFirst();
    if (!row) return;
    await notify(trx, "integration_event", row.id);
    await recordIntegrationEvent(trx, webhook.organization_id, row);
  });
}

/** @throws {GroveError} NOT_FOUND for an unknown webhook */
export async function findWebhook({ database: { db } }: Pick<Services, "database">, given: string) {
  const { data: id } = idSchema.safeParse(given);
  if (id === undefined) throw webhookNotFound(given);
  const row = await db
    .selectFrom("integration_webhooks as webhooks")
    .innerJoin("integration_connections as connections", (join) =>
      join
        .onRef("connections.organization_id", "=", "webhooks.organization_id")
        .onRef("connections.id", "=", "webhooks.connection_id"),
    )
    .select(["webhooks.id", "webhooks.organization_id", "webhooks.connection_id", "webhooks.sealed"])
    .select("connections.provider")
    // Only the webhook identifies its organization: its id is in the address, and its secret made the signature.
    .where("webhooks.id", "=", id)
    .executeTakeFirst();
  if (!row) throw webhookNotFound(id);
  return row;
}

/** `impliesChange`: also for a delivery whose change cannot be read; the queue then records why. */
function readDelivery(
  title: string,
  definition: WebhookDefinition,
  delivery: Delivery,
): { facts: DeliveryFacts; impliesChange: boolean } {
  try {
    const body: unknown = JSON.parse(delivery.body.toString("utf8"));
    const facts = definition.read(delivery.headers, body);
    return { facts, impliesChange: mayChange(definition, facts.type, body) };
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof ZodError)) throw cause;
    throw new GroveError("BAD_REQUEST", `This is not a delivery of ${title}: its body has another format.`, {
      cause,
    });
  }
}

function mayChange(definition: WebhookDefinition, type: string, body: unknown): boolean {
  try {
    return definition.changeOf(type, body) !== null;
  } catch (error) {
    if (error instanceof ZodError) return true;
    throw error;
  }
}

function requireFresh({ maxAgeMs }: WebhookDefinition, { sentAt }: DeliveryFacts): void {
  if (sentAt === null) return;
  const age = Date.now() - sentAt.getTime();
  if (age <= maxAgeMs && age >= -CLOCK_SKEW_MS) return;
  throw unverified("This delivery was sent too long ago, or the clocks differ.");
}

/** One line of text that a column accepts. */
const withoutControls = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, 300);

const unverified = (message: string) =>
  new GroveError("UNAUTHORIZED", message, { reason: "unverified_delivery" });
