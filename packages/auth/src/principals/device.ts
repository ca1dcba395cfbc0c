import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { batched } from "./lookup";

export interface DeviceRow {
  hash: string;
  id: string;
  organization_id: string;
  owner_id: string;
  journal_id: string | null;
  epoch: number;
  name: string;
  slug: string;
}

/** Devices whose key is valid. Written as SQL, as in apiKey.ts. */
const devicesInForce = sql`
  devices
  join users on users.id = devices.owner_id
  join memberships on memberships.organization_id = devices.organization_id
    and memberships.user_id = devices.owner_id
  where devices.revoked_at is null and users.disabled_at is null`;

export const deviceLookup = (db: Kysely<Database>) =>
  batched(async (hashes) => {
    const { rows } = await sql<DeviceRow>`
      select devices.key_hash as hash, devices.id, devices.organization_id, devices.owner_id, devices.journal_id,
        devices.epoch, organizations.name, organizations.slug
      from organizations, ${devicesInForce}
        and organizations.id = devices.organization_id and devices.key_hash = any(${hashes}::text[])
    `.execute(db);
    return rows;
  });

/**
 * Returns the condition that a device's key is valid and unchanged when the statement begins. For a statement that acts
 * for a cached device.
 */
export const deviceKeyIsValid = (
  deviceId: RawBuilder<string>,
  keyHash: RawBuilder<string>,
): RawBuilder<boolean> =>
  sql`exists (select from ${devicesInForce} and devices.id = ${deviceId} and devices.key_hash = ${keyHash})`;
