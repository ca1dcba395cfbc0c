import { type Credentials, credentials } from "@grove/integrations";
import { sql } from "kysely";
import { connectionIdentity } from "../secrets";
import type { Services } from "../services";
import type { ConnectionRow } from "./connections";

interface Row {
  organization_id: string;
  id: string;
}

/** A connection's credentials, as they are kept. */
export const sealCredentials = ({ vault }: Services, row: Row, opened: Credentials): string =>
  vault.seal(JSON.stringify(opened), connectionIdentity(row));

export const openCredentials = ({ vault }: Services, row: Row & { sealed: string }): Credentials =>
  credentials.parse(JSON.parse(vault.open(row.sealed, connectionIdentity(row))));

/** Marks a connection whose credentials are good no more, unless it has others by now. */
export async function requireReconnect(
  { database: { db } }: Pick<Services, "database">,
  row: ConnectionRow,
): Promise<void> {
  await db
    .updateTable("integration_connections")
    .set({ status: "reconnect_required", refreshing_until: null, updated_at: sql<string>`now()` })
    .where("organization_id", "=", row.organization_id)
    .where("id", "=", row.id)
    .where("sealed", "=", row.sealed)
    .execute();
}
