import { recordAudit } from "@grove/auth";
import { type Credentials, credentials } from "@grove/integrations";
import { sql } from "kysely";
import { connectionIdentity } from "../secrets/identities";
import type { Services } from "../services";
import type { ConnectionRow } from "./row";

interface Row {
  organization_id: string;
  id: string;
}

/** Seals a connection's credentials for storage. */
export const sealCredentials = ({ vault }: Pick<Services, "vault">, row: Row, opened: Credentials): string =>
  vault.seal(JSON.stringify(opened), connectionIdentity(row));

export const openCredentials = (
  { vault }: Pick<Services, "vault">,
  row: Row & { sealed: string },
): Credentials => credentials.parse(JSON.parse(vault.open(row.sealed, connectionIdentity(row))));

/**
 * Marks a connection whose credentials the provider no longer accepts, and records that. Does nothing when the
 * connection has other credentials by now, or is marked already.
 */
export async function requireReconnect(
  { database: { db } }: Pick<Services, "database">,
  row: ConnectionRow,
): Promise<void> {
  const { organization_id: organizationId, id, provider } = row;
  await db.transaction().execute(async (trx) => {
    const marked = await trx
      .updateTable("integration_connections")
      .set({ status: "reconnect_required", refreshing_until: null, updated_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("sealed", "=", row.sealed)
      .where("status", "!=", "reconnect_required")
      .returning("id")
      .executeTakeFirst();
    if (marked)
      await recordAudit(
        trx,
        { kind: "system" },
        {
          organizationId,
          action: "integration.reconnectRequired",
          target: { type: "integration_connection", id },
          metadata: { provider },
        },
      );
  });
}
