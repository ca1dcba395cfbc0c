import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** send_agent_input: types text to a running agent. */
export const sendAgentInputTool = ({ sessions }: ToolDeps): Tool<"send_agent_input"> => ({
  async run({ sessionId, text, screen }) {
    await sessions.type(sessionId, text, screen);
    return { success: true };
  },
  recover: async () => "It is not known whether the text was typed; the agent session has ended.",
});
