import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";
import { occupants } from "./workspace/occupants";

/** get_agent_screen: returns what a running agent's terminal shows. */
export const getAgentScreen = ({ sessions }: ToolDeps): Tool<"get_agent_screen"> => ({
  async run({ sessionId, length, offset, settleMs }, { signal }) {
    const session = sessions.roster.get(sessionId);
    await session.tail.settled(settleMs, signal);
    const screen = await session.screenNumber();
    return { ...session.tail.shown(length, offset), screen };
  },
});

/** send_agent_input: types text to a running agent. */
export const sendAgentInput = ({ sessions }: ToolDeps): Tool<"send_agent_input"> => ({
  async run({ sessionId, text, screen }) {
    await sessions.type(sessionId, text, screen);
    return { success: true };
  },
  recover: async () => "It is not known whether the text was typed; the agent session has ended.",
});

/** resize_agent_session: sets the size of a running agent's terminal. */
export const resizeAgentSession = ({ sessions }: ToolDeps): Tool<"resize_agent_session"> => ({
  async run({ sessionId, columns, rows }) {
    sessions.resize(sessionId, columns, rows);
    return { success: true };
  },
});

/** stop_agent_session: ends an agent and everything that it runs. */
export const stopAgentSession = ({ sessions, store }: ToolDeps): Tool<"stop_agent_session"> => ({
  async run({ sessionId }) {
    const workspaceId = sessions.roster.find(sessionId)?.identity.workspaceId;
    await sessions.stop(sessionId);
    const workspace = workspaceId === undefined ? undefined : await store.workspace(workspaceId);
    // The programs of another session in it are no leftovers.
    const warnings =
      workspace && sessions.runningIn(workspace.id).length === 0 ? await occupants(workspace) : [];
    return { success: true, ...(warnings.length > 0 && { warnings }) };
  },
  recover: async () => "The agent session has ended with the device agent.",
});
