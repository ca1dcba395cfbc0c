import { defineTool, ToolError } from "@grove/mcp";
import { id, terminalInput } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";
import { readSession, readSessionScreen, sessionId, shownFields } from "../shared/sessions";

export const sendAgentInput = defineTool({
  name: "send_agent_input",
  title: "Type into an agent session",
  description:
    "Types text into a running agent session and shows its terminal then: \\r is Enter, \\u001b[A and \\u001b[B are the arrows up and down, \\u001b is Escape. Use it to answer an agent that waits, with the screen of get_agent_session: nothing is typed if another one is shown by then.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    sessionId,
    text: terminalInput.describe("Text to type"),
    screen: z.number().int().min(1).optional().describe("The screen that this answers"),
  }),
  output: z.strictObject({
    sessionId: id,
    success: z.literal(true).optional(),
    /** Left out if the terminal cannot be read now. */
    ...z.object(shownFields).partial().shape,
    pending,
  }),
  async run({ sessionId: given, text, screen }, context: ApiContext) {
    const { deviceId, status } = await readSession(context, given);
    if (status !== "running")
      throw new ToolError(
        "session_ended",
        `The agent session ${given} has ended (${status})`,
        "Start another one with start_agent_session.",
      );
    const params = { sessionId: given, text, ...(screen !== undefined && { screen }) };
    const { pending } = await runOnDevice(context, deviceId, "send_agent_input", params);
    if (pending) return { sessionId: given, pending };
    return { sessionId: given, success: true as const, ...(await after(context, given)) };
  },
});

const LENGTH = 2_000;
/** Time for the program to react to the input. */
const SETTLE_MS = 2_000;

/** The terminal after the input. The text has been typed, so a failure here is not an error. */
async function after(context: ApiContext, given: string) {
  try {
    const { session: _, ...shown } = await readSessionScreen(context, given, {
      length: LENGTH,
      settleMs: SETTLE_MS,
    });
    return shown;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    context.log.debug("the session could not be read", { error: error.text });
    return {};
  }
}
