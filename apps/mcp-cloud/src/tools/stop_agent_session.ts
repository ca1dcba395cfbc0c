import { defineTool } from "@grove/mcp";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";
import { readSession, sessionId } from "../shared/sessions";

export const stopAgentSession = defineTool({
  name: "stop_agent_session",
  title: "Stop an agent session",
  description:
    "Ends an agent session and the processes it started; what it changed on disk stays. Use it when an agent is stuck or no longer needed.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ sessionId }),
  output: z.strictObject({
    sessionId: z.string(),
    success: z.literal(true).optional(),
    warnings: z.array(z.string()).optional(),
    pending,
  }),
  async run({ sessionId: given }, context: ApiContext) {
    const { deviceId, status } = await readSession(context, given);
    if (status !== "running") return { sessionId: given, success: true as const };
    const { pending, result } = await runOnDevice(context, deviceId, "stop_agent_session", {
      sessionId: given,
    });
    if (pending) return { sessionId: given, pending };
    return {
      sessionId: given,
      success: true as const,
      ...(result.warnings && { warnings: result.warnings }),
    };
  },
});
