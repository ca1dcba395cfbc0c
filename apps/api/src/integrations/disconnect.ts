import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { IntegrationDisconnectInput, Success } from "@grove/schemas";
import type { Services } from "../services";
import { connectionNotFound } from "./row";
import { removeAtProvider } from "./webhooks";

/**
 * Deletes a connection with its credentials, and removes its webhooks at the provider, as far as the provider allows.
 * @throws {GroveError} NOT_FOUND
 */
export async function disconnect(
  services: Services,
  principal: UserPrincipal,
  { organizationId, id }: IntegrationDisconnectInput,
): Promise<Success> {
  const { db } = services.database;
  const row = await db
    .selectFrom("integration_connections")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw connectionNotFound(id);
  const webhooks = await db
    .selectFrom("integration_webhooks")
    .select(["repo_owner", "repo_name", "external_id"])
    .where("organization_id", "=", organizationId)
    .where("connection_id", "=", id)
    .execute();
  await removeAtProvider(services, row, webhooks);
  await db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom("integration_connections")
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returning(["provider", "account_name"])
      .executeTakeFirst();
    if (!deleted) throw connectionNotFound(id);
    await recordAudit(trx, principal, {
      organizationId,
      action: "integration.disconnect",
      target: { type: "integration_connection", id },
      metadata: { provider: deleted.provider, accountName: deleted.account_name },
    });
  });
  return { success: true as const };
}
