import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { CodehostCreateWebhookInput, CodehostListWebhooksInput, Webhook } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { findConnection, findConnections } from "./connections";
import { lastDelivery, toWebhook } from "./row";
import { createWebhook } from "./webhooks";

/**
 * Makes the code host deliver a repository's events.
 * @throws {GroveError} what {@link findConnection} and {@link createWebhook} throw
 */
export async function createRepositoryWebhook(
  services: Services,
  principal: UserPrincipal,
  input: CodehostCreateWebhookInput,
): Promise<Webhook> {
  const { organizationId, repoOwner, repoName, events } = input;
  const connection = await findConnection(services.database.db, "codehost", input);
  const row = await createWebhook(services, connection, {
    repo: { owner: repoOwner, name: repoName },
    events,
    record: (trx, { id }) =>
      recordAudit(trx, principal, {
        organizationId,
        action: "integration.codehost.createWebhook",
        target: { type: "integration_webhook", id },
        metadata: { repo: `${repoOwner}/${repoName}`, events },
      }),
  });
  return toWebhook(services, { ...row, last_delivery: null });
}

/**
 * Reads a page of the webhooks of an organization's repositories, newest first.
 * @throws {GroveError} what {@link findConnections} throws
 */
export async function listRepositoryWebhooks(
  services: Pick<Services, "config" | "database">,
  input: CodehostListWebhooksInput,
): Promise<Webhook[]> {
  const { organizationId, connectionId } = input;
  const { db } = services.database;
  await findConnections(db, "codehost", input);
  let query = db
    .selectFrom("integration_webhooks")
    .selectAll()
    .select(lastDelivery)
    .where("organization_id", "=", organizationId)
    .where("repo_name", "is not", null);
  if (connectionId !== undefined) query = query.where("connection_id", "=", connectionId);
  const rows = await newestFirst(db, "integration_webhooks", query, input);
  return rows.map((row) => toWebhook(services, row));
}
