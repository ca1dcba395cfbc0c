import { requireActivity } from "../../sessions/activity/agentActivity";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** answer_agent_request: gives a person's answer to the agent's hook that waits for it. */
export const answerAgentRequestTool = ({ sessions }: ToolDeps): Tool<"answer_agent_request"> => ({
  async run({ sessionId, requestId, answer }) {
    await requireActivity(sessions.registry.get(sessionId)).answer(requestId, answer);
    return { success: true };
  },
  recover: async () => "It is not known whether the agent got the answer; its session has ended.",
});
