import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  isSettled,
} from "@grove/schemas";
import { UserError } from "../errors";
import { say } from "../print";
import type { OpenWorkspace } from "./workspace";

/** The longest wait of one call, after which new progress is printed. */
const WAIT_MS = 2_000;

/**
 * Runs a tool on the workspace's device for as long as it takes, and prints its progress.
 * @throws {UserError} with the device's reason
 */
export async function runOnDevice<Name extends DeviceToolName>(
  { client, workspace: { deviceId }, ids: { organizationId } }: OpenWorkspace,
  tool: Name,
  params: DeviceToolParams<Name>,
): Promise<DeviceToolResult<Name>> {
  if (deviceId === null)
    throw new UserError("The workspace is on no device, so it has no files. Choose one that is on a device.");
  let command = await client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool,
    params,
    waitMs: WAIT_MS,
  });
  let printed: string | undefined;
  while (!isSettled(command.status)) {
    const line = command.progress?.message;
    if (line !== undefined && line !== printed) say(line);
    printed = line;
    command = await client.agent.getCommand.query({ organizationId, id: command.id, waitMs: WAIT_MS });
  }
  const { status, error, result } = command;
  if (status === "succeeded") return deviceTools[tool].result.parse(result) as DeviceToolResult<Name>;
  throw new UserError(`${error?.message ?? `The command ended as ${status}.`} (${error?.reason ?? status})`);
}
