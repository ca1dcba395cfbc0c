import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** start_agent_session: runs an agent of this machine's configuration in a workspace. It outlives the command. */
export const startAgentSessionTool = ({ sessions }: ToolDeps): Tool<"start_agent_session"> => ({
  run: (params, context) => sessions.start(params, context),
  recover: (notes) => sessions.afterInterruptedStart(notes),
});
