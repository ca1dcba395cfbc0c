import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { warnOfPrograms } from "../workspace/worktreePrograms";

/** stop_agent_session: ends an agent and everything that it runs. */
export const stopAgentSessionTool = ({ sessions, store }: ToolDeps): Tool<"stop_agent_session"> => ({
  async run({ sessionId }) {
    const workspaceId = sessions.registry.find(sessionId)?.identity.workspaceId;
    await sessions.stop(sessionId);
    const workspace = workspaceId === undefined ? undefined : await store.workspace(workspaceId);
    // The programs of another session in it do not count as leftovers.
    const warnings =
      workspace && sessions.runningIn(workspace.id).length === 0 ? await warnOfPrograms(workspace) : [];
    return { success: true, ...(warnings.length > 0 && { warnings }) };
  },
  recover: async () => "The agent session has ended with grove-device.",
});
