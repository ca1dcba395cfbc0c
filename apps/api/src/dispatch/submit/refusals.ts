import { apiKeyIsValid, GroveError, isStillMember, requireDeviceUse, requireMembership } from "@grove/auth";
import type { AgentExecuteInput } from "@grove/schemas";
import { sql } from "kysely";
import { version } from "../../../package.json";
import { isOnline, lastSeen, presenceOf } from "../../devices/presence";
import type { Requester } from "../../lib/idempotency";
import { notFound } from "../../lib/notFound";
import type { Services } from "../../services";
import { MAX_OPEN_COMMANDS } from "./insert";

/**
 * Refuses a caller that lost access after it was looked up.
 * @throws {GroveError} FORBIDDEN `not_a_member`, UNAUTHORIZED if the API key is no longer valid
 */
export async function checkCaller(
  { database }: Pick<Services, "database">,
  principal: Requester,
  { organizationId }: AgentExecuteInput,
): Promise<void> {
  const isMember = isStillMember(sql`${organizationId}::uuid`, sql`${principal.user.id}::uuid`);
  const isInForce = principal.kind === "api_key" ? apiKeyIsValid(sql`${principal.keyId}::uuid`) : sql`true`;
  const { rows } = await sql<{ isMember: boolean; isInForce: boolean }>`
    select ${isMember} as "isMember", ${isInForce} as "isInForce"`.execute(database.db);
  if (!rows[0]?.isMember)
    requireMembership({ kind: principal.kind, memberships: new Map() }, organizationId, "member");
  if (!rows[0]?.isInForce)
    throw new GroveError("UNAUTHORIZED", "The API key for this request is no longer valid. Use another key.");
}

/**
 * Refuses a caller that may not use the device, or a device that cannot run the tool now. Called when no row was made.
 * @throws {GroveError} NOT_FOUND, FORBIDDEN `device_owner_required`, PRECONDITION_FAILED `device_offline` or
 * `unsupported_tool`
 */
export async function checkDevice(
  { database }: Pick<Services, "database">,
  principal: Requester,
  input: AgentExecuteInput,
): Promise<void> {
  const device = await database.db
    .selectFrom("devices")
    .select([
      "name",
      "owner_id as ownerId",
      "shared",
      "agent_version",
      "capabilities",
      "revoked_at",
      "offline_reason",
      isOnline.as("online"),
      lastSeen.as("last_seen_at"),
    ])
    .where("organization_id", "=", input.organizationId)
    .where("id", "=", input.deviceId)
    .executeTakeFirst();
  if (!device) throw notFound("device", input.deviceId);
  requireDeviceUse(principal, device);

  const { offlineReason } = presenceOf(device);
  if (offlineReason === "revoked" || (offlineReason !== null && input.ifOffline === "fail"))
    throw new GroveError(
      "PRECONDITION_FAILED",
      offlineMessage(device.name, offlineReason, device.last_seen_at),
      {
        reason: "device_offline",
        details: { offlineReason, lastSeenAt: device.last_seen_at },
      },
    );
  if (device.agent_version !== null && !device.capabilities.includes(input.tool))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The device "${device.name}" runs grove-device ${device.agent_version}, which has no tool "${input.tool}"; this server is ${version}. Update grove-device on that machine.`,
      { reason: "unsupported_tool", details: { agentVersion: device.agent_version, serverVersion: version } },
    );
}

function offlineMessage(name: string, reason: string, lastSeen: string | null): string {
  const lastSeenText = lastSeen ? `last seen ${lastSeen}` : "never seen";
  const next =
    reason === "revoked"
      ? "Register the machine again."
      : reason === "outdated_agent"
        ? "Update grove-device on that machine."
        : "Run `grove-device start` on that machine, or queue the command (ifOffline: queue).";
  return `The device "${name}" is offline (${reason}, ${lastSeenText}). ${next}`;
}

/** @throws {GroveError} TOO_MANY_REQUESTS `queue_full` if the device has `MAX_OPEN_COMMANDS` open commands */
export async function checkQueue(
  { database }: Pick<Services, "database">,
  input: AgentExecuteInput,
): Promise<void> {
  const { rows } = await sql`
    select id from device_commands where organization_id = ${input.organizationId} and device_id = ${input.deviceId}
      and status in ('queued', 'claimed', 'running') limit ${sql.lit(MAX_OPEN_COMMANDS)}
  `.execute(database.db);
  if (rows.length < MAX_OPEN_COMMANDS) return;
  throw new GroveError(
    "TOO_MANY_REQUESTS",
    `The device ${input.deviceId} has ${MAX_OPEN_COMMANDS} open commands, the maximum. Wait until some have ended, or cancel those that are no longer needed.`,
    { reason: "queue_full", details: { open: MAX_OPEN_COMMANDS } },
  );
}
