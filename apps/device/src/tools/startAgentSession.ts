import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";

/** start_agent_session: runs an agent of this machine's configuration in a workspace. It outlives the command. */
export const startAgentSession = ({ sessions }: ToolDeps): Tool<"start_agent_session"> => ({
  run: (params, context) => sessions.start(params, context),
  recover: (notes) => sessions.afterInterruptedStart(notes),
});
