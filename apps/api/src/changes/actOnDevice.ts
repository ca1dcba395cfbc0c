import type { UserPrincipal } from "@grove/auth";
import type { DeviceToolName, DeviceToolResult, Reason } from "@grove/schemas";
import { runTool } from "../dispatch/submit/runTool";
import type { Services } from "../services";
import { requireWorkspaceDevice, type WorkspaceKey } from "./requireWorkspaceDevice";

const STATUS_WAIT_MS = 30_000;
/** Hooks and transfers may take longer. The caller can read the command's result later. */
const CHANGE_WAIT_MS = 55_000;

/** The reasons for which a device refuses a tool. Callers branch on them. */
const refusals = {
  run_gate: [],
  commit_workspace: [
    ...(["branch_not_own", "conflicts", "head_moved", "hook_failed", "identity_missing"] as const),
    ...(["in_the_middle", "nothing_to_commit", "signing_failed", "tree_changed"] as const),
  ],
  push_branch: [
    ...(["auth_failed", "branch_not_own", "head_moved", "hook_failed", "in_the_middle"] as const),
    ...(["lease_broken", "lfs_missing", "non_fast_forward", "protected_branch"] as const),
    ...(["remote_mismatch", "remote_refused"] as const),
  ],
  update_from_base: [
    ...(["agent_working", "base_gone", "branch_not_own", "conflicts", "files_in_the_way"] as const),
    ...(["head_moved", "identity_missing", "in_the_middle", "signing_failed", "uncommitted_work"] as const),
  ],
  merge_here: [
    ...(["base_gone", "branch_checked_out", "branch_not_own", "conflicts", "files_in_the_way"] as const),
    ...(["head_moved", "identity_missing", "in_the_middle", "signing_failed", "uncommitted_work"] as const),
  ],
} satisfies Partial<Record<DeviceToolName, readonly Reason[]>>;

/**
 * Reads the status of the work in a workspace from its device.
 * @throws {GroveError} what {@link requireWorkspaceDevice} and `runTool` throw
 */
export async function changeStatus(
  services: Services,
  principal: UserPrincipal,
  { organizationId, workspaceId }: WorkspaceKey,
  caller: AbortSignal | undefined,
): Promise<DeviceToolResult<"get_change_status">> {
  const deviceId = await requireWorkspaceDevice(services.database.db, principal, {
    organizationId,
    workspaceId,
  });
  const call = { organizationId, deviceId, params: { workspaceId }, refusals: [], next: "Try again." };
  return runTool(services, principal, { ...call, tool: "get_change_status", waitMs: STATUS_WAIT_MS }, caller);
}

type ChangeCall = WorkspaceKey & { idempotencyKey?: string | undefined };

/**
 * Runs a tool that checks, commits, pushes, updates or merges the work in a workspace, on its device.
 * @throws {GroveError} what {@link requireWorkspaceDevice} and `runTool` throw; PRECONDITION_FAILED with one of the
 * device's refusals
 */
export async function runChangeTool<Name extends keyof typeof refusals>(
  services: Services,
  principal: UserPrincipal,
  tool: Name,
  { organizationId, idempotencyKey, ...params }: ChangeCall,
  caller: AbortSignal | undefined,
): Promise<DeviceToolResult<Name>> {
  const { workspaceId } = params;
  const deviceId = await requireWorkspaceDevice(services.database.db, principal, {
    organizationId,
    workspaceId,
  });
  const call = { organizationId, deviceId, params, idempotencyKey, refusals: refusals[tool] };
  const next = "Read the status of the change again.";
  return runTool(services, principal, { ...call, tool, next, waitMs: CHANGE_WAIT_MS }, caller);
}
