import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** resize_agent_session: sets the size of a running agent's terminal. */
export const resizeAgentSessionTool = ({ sessions }: ToolDeps): Tool<"resize_agent_session"> => ({
  async run({ sessionId, columns, rows }) {
    sessions.resize(sessionId, columns, rows);
    return { success: true };
  },
});
