import type { Command, DeviceToolName, DeviceToolParams, DeviceToolResult } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../api";
import { awaitCommand } from "./awaitCommand";
import { awaitSettled } from "./commandQuery";
import { isOpenStatus } from "./isOpenStatus";

/** How long a call waits for a device. */
const WAIT_MS = 20_000;

/** A command that ended without a result. The message comes from the device or the API. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly reason: string;

  constructor({ status, error }: Pick<Command, "status" | "error">) {
    super(error?.message ?? `The command ended as ${status}.`);
    this.reason = error?.reason ?? status;
  }
}

/** The schemas of the results are large. They load while the device works. */
function loadParser() {
  const parser = import("./toolResults");
  // A failed command does not use the parser.
  parser.catch(() => undefined);
  return parser;
}

/** @throws {CommandFailed} if the command has no result */
async function resultOf<Name extends DeviceToolName>(
  tool: Name,
  command: Command,
  parser: ReturnType<typeof loadParser>,
): Promise<DeviceToolResult<Name>> {
  if (command.status !== "succeeded") throw new CommandFailed(command);
  return (await parser).parseToolResult(tool, command.result);
}

/** Query options for the result of a tool that has ended, as long as its command is kept. */
export const toolResultQuery = <Name extends DeviceToolName>(
  organizationId: string,
  commandId: string,
  tool: Name,
) =>
  queryOptions({
    queryKey: ["toolResult", organizationId, commandId],
    queryFn: async () =>
      resultOf(tool, await client.agent.getCommand.query({ organizationId, id: commandId }), loadParser()),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

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
  const parser = loadParser();
  const command = await client.agent.execute
    .mutate(
      { ...target, tool, params, waitMs: WAIT_MS, ...(idempotencyKey && { idempotencyKey }) },
      signal && { signal },
    )
    .catch((error: unknown) => awaitCommand(target.organizationId, error));
  if (!isOpenStatus(command.status)) return resultOf(tool, command, parser);
  const message = "The device has not answered within 20 s. The command may still be running.";
  throw new CommandFailed({ status: command.status, error: { reason: "command_pending", message } });
}

/**
 * Runs a tool on a device that may be offline for up to a day, and polls the command until it ends.
 * @param options.idempotencyKey a retry with the same key within 24 hours does not run the tool again
 * @param options.onProgress called with the command each second until it ends
 * @throws {CommandFailed} if the command ends without a result
 * @throws {Error} the API's errors
 */
export async function runToolLater<Name extends DeviceToolName>(
  target: Target,
  tool: Name,
  params: DeviceToolParams<Name>,
  { idempotencyKey, onProgress }: { idempotencyKey: string; onProgress?: (command: Command) => void },
): Promise<DeviceToolResult<Name>> {
  const options = { waitMs: 0, ifOffline: "queue", idempotencyKey } as const;
  const command = await client.agent.execute.mutate({ ...target, tool, params, ...options });
  const settled = await awaitSettled(target.organizationId, command.id, { onProgress });
  return resultOf(tool, settled, loadParser());
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
