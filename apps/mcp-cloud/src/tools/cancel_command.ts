import { defineTool } from "@grove/mcp";
import { commandStatus, id, isSettled } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../apiSession";

/** A device ends a running command within 5 s, and then undoes what is half-made. */
const WAIT_MS = 30_000;
const MARGIN_MS = 5_000;

export const cancelCommand = defineTool({
  name: "cancel_command",
  title: "Cancel a command",
  description:
    "Cancels a command that is still going; the device undoes what is half-made. Use it when the work of a `pending` is not wanted any more. One that has ended stays as it is: status says how.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ commandId: id.describe("The command") }),
  output: z.strictObject({ commandId: id, tool: z.string(), status: commandStatus }),
  async run({ commandId }, context: CloudContext) {
    return context.app.call(
      context,
      async (client, { organizationId }, signal) => {
        const key = { organizationId, id: commandId };
        const canceled = await client.agent.cancelCommand.mutate(key, { signal });
        const { tool, status } = isSettled(canceled.status)
          ? canceled
          : await client.agent.getCommand.query({ ...key, waitMs: WAIT_MS }, { signal });
        return { commandId, tool, status };
      },
      { timeoutMs: WAIT_MS + MARGIN_MS },
    );
  },
});
