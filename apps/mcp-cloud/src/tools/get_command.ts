import type { Outputs } from "@grove/client";
import { defineTool } from "@grove/mcp";
import { commandError, commandStatus, deviceTools, id, timestamp, waitEnded } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { type Item, isItemTool, throwIfAllFailed } from "../api/outcome";
import { MAX_COMMAND_WAIT_MS, timeoutFor } from "../api/waits";

export const getCommand = defineTool({
  name: "get_command",
  title: "Get a command",
  description:
    "Shows the state of a command on a device, and its result. Use it with the commandId of a `pending`.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    commandId: id.describe("The command"),
    waitMs: z.number().int().min(0).max(MAX_COMMAND_WAIT_MS).default(0).describe("Longest wait for its end"),
  }),
  output: z.strictObject({
    commandId: id,
    deviceId: id,
    tool: z.string(),
    status: commandStatus,
    waitEnded: waitEnded.nullable(),
    progress: z.string().nullable(),
    /** The tool's own result. */
    result: z.unknown().optional(),
    /** A result that the device reported after the command had been settled otherwise. */
    lateResult: z.unknown().optional(),
    resultRemovedAt: timestamp.optional(),
    error: commandError.nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  }),
  async run({ commandId, waitMs }, context: ApiContext) {
    const command = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.agent.getCommand.query({ organizationId, id: commandId, waitMs }, { signal }),
      { timeoutMs: timeoutFor(waitMs) },
    );
    requireSuccess(command);
    return {
      commandId: command.id,
      deviceId: command.deviceId,
      tool: command.tool,
      status: command.status,
      waitEnded: command.waitEnded,
      progress: command.progress?.message ?? null,
      result: command.result ?? undefined,
      lateResult: command.lateResult ?? undefined,
      resultRemovedAt: command.resultRemovedAt ?? undefined,
      error: command.error,
      createdAt: command.createdAt,
      finishedAt: command.finishedAt,
    };
  },
});

/** If none of several items succeeded, the tool itself returns an error, and so does this one. */
function requireSuccess({ tool, result }: Outputs["agent"]["getCommand"]): void {
  if (!isItemTool(tool)) return;
  const { data } = deviceTools[tool].result.safeParse(result);
  const items: Item[] = data?.workspaces ?? [];
  throwIfAllFailed(items, tool);
}
