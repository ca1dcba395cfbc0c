import { defineTool, ToolError } from "@grove/mcp";
import { terminalInput } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../cloud";
import { pending, runOnDevice } from "../command";
import { readSession, sessionId } from "../sessions";

export const sendAgentInput = defineTool({
  name: "send_agent_input",
  title: "Type to an agent session",
  description:
    "Types text into a running agent session as it is: end it with \\r to press Enter; \\u001b[A and \\u001b[B are the arrows up and down, \\u001b is Escape. Use it to answer an agent that waits for input.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ sessionId, text: terminalInput.describe("What to type") }),
  output: z.strictObject({
    sessionId: z.string(),
    success: z.literal(true).optional(),
    pending,
  }),
  async run({ sessionId: given, text }, context: CloudContext) {
    const { deviceId, status } = await readSession(context, given);
    if (status !== "running")
      throw new ToolError(
        "session_ended",
        `The agent session ${given} has ended (${status})`,
        "Start another one with start_agent_session.",
      );
    const params = { sessionId: given, text };
    const { pending } = await runOnDevice(context, deviceId, "send_agent_input", params);
    return pending ? { sessionId: given, pending } : { sessionId: given, success: true as const };
  },
});
