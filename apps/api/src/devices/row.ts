import type { DeviceTable } from "@grove/db";
import type { Device } from "@grove/schemas";
import type { Selectable } from "kysely";
import { isOnline, lastSeen, presenceOf } from "./presence";

/** The columns that {@link toDevice} needs. */
export const deviceColumns = [
  "id",
  "organization_id",
  "owner_id",
  "name",
  "platform",
  "shared",
  "secrets_allowed",
  "ssh_host",
  "agent_version",
  "capabilities",
  "offline_reason",
  "revoked_at",
  "created_at",
  isOnline.as("online"),
  lastSeen.as("last_seen_at"),
] as const;

type DeviceRow = Pick<Selectable<DeviceTable>, Extract<(typeof deviceColumns)[number], keyof DeviceTable>> & {
  online: boolean;
  last_seen_at: string | null;
};

/** A device's row as the API returns it. */
export const toDevice = (row: DeviceRow): Device => ({
  id: row.id,
  organizationId: row.organization_id,
  ownerId: row.owner_id,
  name: row.name,
  platform: row.platform,
  ...presenceOf(row),
  lastSeenAt: row.last_seen_at,
  agentVersion: row.agent_version,
  capabilities: row.capabilities,
  shared: row.shared,
  secretsAllowed: row.secrets_allowed,
  sshHost: row.ssh_host,
  createdAt: row.created_at,
});
