import { type Kysely, sql } from "kysely";

/**
 * Which API key registered a device, so that who revokes a key learns what it leaves behind; and whether a device may
 * have project secrets for whoever uses it. Devices that are registered already keep what they could do so far.
 *
 * An invitation has a second token, which is mailed alone: whoever presents that one has read the mail.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table api_keys add constraint api_keys_in_organization unique (organization_id, id)",
  `alter table devices
    add column registered_by_key uuid,
    add column secrets_allowed boolean not null default false,
    add constraint devices_registered_by_key foreign key (organization_id, registered_by_key)
      references api_keys (organization_id, id) on delete set null (registered_by_key)`,
  `create index devices_by_key on devices (organization_id, registered_by_key)
    where registered_by_key is not null`,
  "update devices set secrets_allowed = true",
  "alter table invitations add column mailed_token_hash text unique",
];
