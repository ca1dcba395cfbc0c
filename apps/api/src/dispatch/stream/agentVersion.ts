import { type DevicePrincipal, GroveError } from "@grove/auth";
import type { DeviceConnectInput } from "@grove/schemas";
import { sql } from "kysely";
import { isOnline } from "../../devices/presence";
import type { Services } from "../../services";

/**
 * The oldest supported device agent. Raise it when a change of device.connect, or of a report, breaks older device
 * agents.
 */
export const MIN_AGENT_VERSION = "0.1.0";

/**
 * Whether a device agent's version is too old to work with. It is a semantic version; its pre-release part is ignored.
 */
export function isOutdated(agentVersion: string): boolean {
  const [version, minimum] = [numbers(agentVersion), numbers(MIN_AGENT_VERSION)];
  for (const [index, number] of minimum.entries()) {
    const part = version[index] ?? 0;
    if (part !== number) return part < number;
  }
  return false;
}

/** The three numbers of a version. Without a valid version there are none, and it counts as 0.0.0. */
const numbers = (version: string): number[] =>
  /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];

/** Refuses a device agent that is older than the protocol. A device that is online with a newer one stays online. */
export async function refuseOutdated(
  { database }: Pick<Services, "database">,
  device: DevicePrincipal,
  { agentVersion, capabilities }: DeviceConnectInput,
): Promise<never> {
  await sql`
    update devices set offline_reason = 'outdated_agent', agent_version = ${agentVersion},
      capabilities = ${capabilities}::text[], last_seen_at = now()
    where organization_id = ${device.organizationId} and id = ${device.deviceId} and revoked_at is null
      and not ${isOnline}
  `.execute(database.reserved);
  throw new GroveError(
    "PRECONDITION_FAILED",
    `This grove-device (${agentVersion}) is too old for this server, which works with ${MIN_AGENT_VERSION} and later. Update grove-device on this machine.`,
    { reason: "outdated_agent", details: { agentVersion, leastVersion: MIN_AGENT_VERSION } },
  );
}
