import { requireActivity } from "../../sessions/activity/agentActivity";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** release_agent_request: leaves a request to the agent's own prompt. */
export const releaseAgentRequestTool = ({ sessions }: ToolDeps): Tool<"release_agent_request"> => ({
  async run({ sessionId, requestId }) {
    requireActivity(sessions.registry.get(sessionId)).release(requestId);
    return { success: true };
  },
});
