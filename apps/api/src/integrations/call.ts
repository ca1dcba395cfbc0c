import { type Access, type Credentials, credentials, type Ports, ProviderError } from "@grove/integrations";
import type { IntegrationKind } from "@grove/schemas";
import { sql } from "kysely";
import { connectionIdentity } from "../secrets";
import type { Services } from "../services";
import type { ConnectionRow } from "./connections";
import { toGroveError } from "./failures";

/**
 * One call of a connection's provider. Credentials that it does not take any more mark the connection.
 * @throws GroveError: see {@link toGroveError}
 */
export async function callProvider<Kind extends IntegrationKind, T>(
  services: Services,
  kind: Kind,
  row: ConnectionRow,
  use: (port: Ports[Kind]) => Promise<T>,
): Promise<T> {
  const { integrations } = services;
  const { title } = integrations.provider(row.provider);
  // Asking again with these would only bring the account into disrepute.
  if (row.status === "reconnect_required") throw toGroveError(title, new ProviderError("unauthorized"));
  try {
    return await integrations.call(kind, accessOf(services, row), use);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === "unauthorized") await requireReconnect(services, row);
    throw toGroveError(title, error);
  }
}

export const accessOf = (services: Services, row: ConnectionRow): Access => ({
  provider: row.provider,
  credentials: openCredentials(services, row),
  baseUrl: row.base_url,
});

const openCredentials = ({ vault }: Services, row: ConnectionRow): Credentials =>
  credentials.parse(JSON.parse(vault.open(row.sealed, connectionIdentity(row))));

/** Unless it has other credentials by now. */
export async function requireReconnect({ database: { db } }: Services, row: ConnectionRow): Promise<void> {
  await db
    .updateTable("integration_connections")
    .set({ status: "reconnect_required", updated_at: sql<Date>`now()` })
    .where("organization_id", "=", row.organization_id)
    .where("id", "=", row.id)
    .where("sealed", "=", row.sealed)
    .execute();
}
