import type { UserPrincipal } from "@grove/auth";
import type { DeviceToolResult } from "@grove/schemas";
import { requireWorkspaceDevice, type WorkspaceKey } from "../changes/requireWorkspaceDevice";
import { runTool } from "../dispatch/submit/runTool";
import type { Services } from "../services";

const LIST_MS = 30_000;
/** A restoration of many files takes longer. */
const UNDO_MS = 55_000;

/**
 * Lists the restore points of a workspace, which only its device knows.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`; PRECONDITION_FAILED `workspace_not_on_device`,
 * and what `runTool` throws
 */
export async function listPoints(
  services: Services,
  principal: UserPrincipal,
  { organizationId, workspaceId }: WorkspaceKey,
  caller: AbortSignal | undefined,
): Promise<DeviceToolResult<"list_points">> {
  const deviceId = await requireWorkspaceDevice(services.database.db, principal, {
    organizationId,
    workspaceId,
  });
  const call = { organizationId, deviceId, params: { workspaceId }, refusals: [], next: "Try again." };
  return runTool(services, principal, { ...call, tool: "list_points", waitMs: LIST_MS }, caller);
}

/** Why a device restores nothing. Callers branch on it. */
const refusals = [
  ...(["agent_working", "files_in_the_way", "head_moved", "in_the_middle"] as const),
  ...(["point_gone", "points_off", "would_drop_pushed"] as const),
];

/**
 * Gives a workspace the files of a restore point, and its branch the commit of that time if wanted.
 * @throws {GroveError} as {@link listPoints}; PRECONDITION_FAILED with one of the device's refusals
 */
export async function undo(
  services: Services,
  principal: UserPrincipal,
  {
    organizationId,
    idempotencyKey,
    ...params
  }: WorkspaceKey & {
    point: string;
    mode: "files" | "branch";
    expectHead: string;
    idempotencyKey?: string | undefined;
  },
  caller: AbortSignal | undefined,
): Promise<DeviceToolResult<"restore_point">> {
  const { workspaceId } = params;
  const deviceId = await requireWorkspaceDevice(services.database.db, principal, {
    organizationId,
    workspaceId,
  });
  const call = { organizationId, deviceId, params, idempotencyKey, refusals, next: "List the points again." };
  return runTool(services, principal, { ...call, tool: "restore_point", waitMs: UNDO_MS }, caller);
}
