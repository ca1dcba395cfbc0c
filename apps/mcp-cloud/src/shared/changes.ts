import { ToolError } from "@grove/mcp";
import { type Change, type DeviceToolParams, type DeviceToolResult, id } from "@grove/schemas";
import type { ApiContext } from "../api/apiSession";
import type { Outcome } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";

/** The input of tools that an agent uses for its own work. */
export const ownWorkspaceId = id.optional().describe("Default: the one you run in");

/**
 * The given workspace, otherwise the one that this server was started in.
 * @throws {ToolError} if there is neither
 */
export function requireWorkspaceId({ app }: ApiContext, given: string | undefined): string {
  const workspaceId = given ?? app.workspaceId;
  if (workspaceId !== undefined) return workspaceId;
  throw new ToolError(
    "invalid_input",
    "workspaceId was omitted, and this server was not started in a Grove workspace",
    "list_workspaces shows the existing ids.",
  );
}

/**
 * The change of a workspace: its branch, and what the code host reported.
 * @throws {ToolError} `not_found` if the workspace does not exist or is on its project's default branch
 */
export async function readChange(context: ApiContext, workspaceId: string): Promise<Change> {
  const [change] = await context.app.call(context, (client, { organizationId }, signal) =>
    client.workspace.change.list.query({ organizationId, workspaceId, limit: 1 }, { signal }),
  );
  if (change) return change;
  throw new ToolError(
    "not_found",
    `The workspace ${workspaceId} does not exist, or has no branch of its own`,
    "list_workspaces shows the existing ids and their branches.",
  );
}

/** A workspace that is on a device. */
export interface Workplace {
  readonly workspaceId: string;
  readonly deviceId: string;
}

/**
 * The given workspace, otherwise the one that this server was started in, with its device.
 * @throws {ToolError} if there is none, or it has no branch of its own, or is on no device
 */
export async function findWorkplace(context: ApiContext, given: string | undefined): Promise<Workplace> {
  const workspaceId = requireWorkspaceId(context, given);
  const { deviceId } = await readChange(context, workspaceId);
  if (deviceId !== null) return { workspaceId, deviceId };
  throw new ToolError(
    "workspace_not_on_device",
    `The workspace ${workspaceId} is on no device, so it has no files`,
    "Choose one that is on a device: list_workspaces shows them.",
  );
}

/**
 * Runs a tool that expects the commit which is checked out, which it reads first.
 * @throws {ToolError} what {@link runOnDevice} throws; `no_commits`
 */
export async function runAtHead<Name extends "push_branch" | "update_from_base">(
  context: ApiContext,
  { workspaceId, deviceId }: Workplace,
  tool: Name,
  params: Omit<DeviceToolParams<Name>, "workspaceId" | "expectHead">,
): Promise<Outcome<DeviceToolResult<Name>>> {
  const { result: status, pending } = await runOnDevice(context, deviceId, "get_change_status", {
    workspaceId,
  });
  if (!status) return { pending };
  if (status.head === null)
    throw new ToolError(
      "no_commits",
      `The workspace ${workspaceId} has no commit yet`,
      "commit_workspace makes one.",
    );
  return runOnDevice(context, deviceId, tool, {
    workspaceId,
    expectHead: status.head,
    ...params,
  } as DeviceToolParams<Name>);
}
