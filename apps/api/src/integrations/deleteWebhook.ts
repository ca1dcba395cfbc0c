import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { CodehostDeleteWebhookInput, Success } from "@grove/schemas";
import type { Services } from "../services";
import { findConnection } from "./connections";
import { webhookNotFound } from "./row";
import { deleteRow, removeAtProvider } from "./webhooks";

/**
 * Deletes a webhook here and, as far as the code host allows, there.
 * @throws {GroveError} NOT_FOUND for an unknown webhook, or for one of a connection other than `connectionId`
 */
export async function deleteWebhook(
  services: Services,
  principal: UserPrincipal,
  { organizationId, connectionId, id }: CodehostDeleteWebhookInput,
): Promise<Success> {
  const { db } = services.database;
  const row = await db
    .selectFrom("integration_webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("repo_name", "is not", null)
    .executeTakeFirst();
  if (!row || (connectionId !== undefined && row.connection_id !== connectionId)) throw webhookNotFound(id);
  const connection = await findConnection(db, "codehost", {
    organizationId,
    connectionId: row.connection_id,
  });
  await removeAtProvider(services, connection, [row]);
  await db.transaction().execute(async (trx) => {
    await deleteRow(trx, row);
    await recordAudit(trx, principal, {
      organizationId,
      action: "integration.codehost.deleteWebhook",
      target: { type: "integration_webhook", id },
      metadata: { repo: `${row.repo_owner}/${row.repo_name}` },
    });
  });
  return { success: true as const };
}
