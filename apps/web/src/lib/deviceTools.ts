import type { Outputs } from "@grove/client";
import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  isSettled,
} from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { client, queries, queryClient } from "./api";
import { awaitCommand } from "./awaitCommand";

/* Import this file only from pages: it bundles the schemas of all device tools. */

/** How long a call waits for a device. */
const WAIT_MS = 20_000;

type Command = Outputs["agent"]["getCommand"];

/** A command that ended without a result. The message is that of the device or the API. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly reason: string;

  constructor({ status, error }: Pick<Command, "status" | "error">) {
    super(error?.message ?? `The command ended as ${status}.`);
    this.reason = error?.reason ?? status;
  }
}

/** @throws {CommandFailed} if the command has no result */
function resultOf<Name extends DeviceToolName>(tool: Name, command: Command): DeviceToolResult<Name> {
  if (command.status !== "succeeded") throw new CommandFailed(command);
  return deviceTools[tool].result.parse(command.result) as DeviceToolResult<Name>;
}

interface Target {
  organizationId: string;
  deviceId: string;
}

/**
 * Runs a tool on a device that is online, and waits for the result.
 * @throws {CommandFailed} if the command fails, or the device has not answered within 20 s
 * @throws {Error} the API's errors
 */
export async function runTool<Name extends DeviceToolName>(
  target: Target,
  tool: Name,
  params: DeviceToolParams<Name>,
  options: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<DeviceToolResult<Name>> {
  const { idempotencyKey, signal } = options;
  const command = await client.agent.execute
    .mutate(
      { ...target, tool, params, waitMs: WAIT_MS, ...(idempotencyKey && { idempotencyKey }) },
      signal && { signal },
    )
    .catch((error: unknown) => awaitCommand(target.organizationId, error));
  if (isSettled(command.status)) return resultOf(tool, command);
  const message = "The device has not answered within 20 s. The command may still be running.";
  throw new CommandFailed({ status: command.status, error: { reason: "command_pending", message } });
}

/** The interval for reading a command's progress. */
const POLL_MS = 1_000;

/**
 * Runs a tool on a device that may be offline for up to a day, and polls the command until it ends.
 * @param options.idempotencyKey a retry with the same key within 24 hours does not run the tool again
 * @param options.onProgress is called with the command each second until it ends
 * @throws {CommandFailed} if the command ends without a result
 * @throws {Error} the API's errors
 */
export async function runToolLater<Name extends DeviceToolName>(
  target: Target,
  tool: Name,
  params: DeviceToolParams<Name>,
  { idempotencyKey, onProgress }: { idempotencyKey: string; onProgress: (command: Command) => void },
): Promise<DeviceToolResult<Name>> {
  const options = { waitMs: 0, ifOffline: "queue", idempotencyKey } as const;
  let command = await client.agent.execute.mutate({ ...target, tool, params, ...options });
  const { organizationId } = target;
  const read = queries.agent.getCommand.queryOptions({ organizationId, id: command.id }, { staleTime: 0 });
  while (!isSettled(command.status)) {
    onProgress(command);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    command = await queryClient.fetchQuery(read);
  }
  return resultOf(tool, command);
}

/** Query options for a read-only device tool. */
export const toolQuery = <Name extends DeviceToolName>(
  target: Target,
  tool: Name,
  params: DeviceToolParams<Name>,
) =>
  queryOptions({
    queryKey: ["deviceTool", target.deviceId, tool, params],
    queryFn: ({ signal }) => runTool(target, tool, params, { signal }),
    staleTime: 30_000,
    retry: false,
  });
