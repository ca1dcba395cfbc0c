import { type Database, newId } from "@grove/db";
import type { GateSkipped } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { isOnline } from "../devices/presence";
import { enqueueCommand } from "../dispatch/submit/enqueue";
import type { Requester } from "../lib/idempotency";
import type { ChangeKey } from "./row";

/** How long the command waits for a device that has just gone offline. */
const EXPIRES_AT = sql<string>`now() + interval '1 minute'`;

/**
 * Starts the gate of a change whose agent has finished, if the project is configured so. The device reuses its last
 * result if it has checked the same files before. If the device cannot run the gate, the reason is stored in the
 * change. The caller has locked the change.
 */
export async function runGateOnFinish(
  trx: Transaction<Database>,
  principal: Requester,
  changeKey: ChangeKey,
): Promise<void> {
  const { organizationId, changeId } = changeKey;
  const target = await readTarget(trx, changeKey);
  // A gate that its device has not received yet will read the newest files.
  if (!target || target.is_queued) return;
  const change = trx
    .updateTable("changes")
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId);
  const reason = skipReason(target);
  if (reason) return void (await change.set({ gate_skipped: reason }).execute());
  const id = newId();
  await enqueueCommand(trx, principal, {
    id,
    organizationId,
    deviceId: target.device_id,
    tool: "run_gate",
    params: { workspaceId: target.workspace_id, reuseResult: true },
    expiresAt: EXPIRES_AT,
  });
  await change
    .set({
      gate_command_id: id,
      gate_state: "running",
      gate_head: null,
      gate_at: sql<string>`now()`,
      gate_is_automatic: true,
      gate_skipped: null,
      gate_held_reason: null,
    })
    .execute();
}

interface Target {
  workspace_id: string;
  device_id: string;
  is_online: boolean;
  is_supported: boolean;
  is_queued: boolean;
}

const skipReason = ({ is_online, is_supported }: Target): GateSkipped | undefined => {
  if (!is_online) return "device_offline";
  return is_supported ? undefined : "unsupported_tool";
};

/** @returns undefined if the project is not configured so, or the workspace was deleted */
async function readTarget(
  trx: Transaction<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<Target | undefined> {
  const { rows } = await sql<Target>`
    select changes.workspace_id, changes.device_id, ${isOnline} as is_online,
      devices.agent_version is null or 'run_gate' = any(devices.capabilities) as is_supported,
      exists (
        select from device_commands as command
        where command.organization_id = changes.organization_id and command.id = changes.gate_command_id
          and command.status = 'queued') as is_queued
    from changes
    join projects on projects.organization_id = changes.organization_id and projects.id = changes.project_id
      and projects.gate_on_finish
    join devices on devices.organization_id = changes.organization_id and devices.id = changes.device_id
    where changes.organization_id = ${organizationId} and changes.id = ${changeId}
      and changes.workspace_id is not null`.execute(trx);
  return rows[0];
}
