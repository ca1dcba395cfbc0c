import { defineTool } from "@grove/mcp";
import { commandStatus, id, isSettled } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { timeoutFor } from "../api/waits";

/** A device ends a running command within 5 s, and then undoes what is half-made. */
const WAIT_MS = 30_000;

export const cancelCommand = defineTool({
  name: "cancel_command",
  title: "Cancel a command",
  description:
    "Cancels a waiting or running command; the device rolls back partial work. Use it when the work of a `pending` is no longer wanted.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ commandId: id.describe("The command") }),
  output: z.strictObject({ commandId: id, tool: z.string(), status: commandStatus }),
  async run({ commandId }, context: ApiContext) {
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
      { timeoutMs: timeoutFor(WAIT_MS) },
    );
  },
});
