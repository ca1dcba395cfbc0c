import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** get_agent_screen: returns what a running agent's terminal shows. */
export const getAgentScreenTool = ({ sessions }: ToolDeps): Tool<"get_agent_screen"> => ({
  async run({ sessionId, length, offset, settleMs }, { signal }) {
    const session = sessions.registry.get(sessionId);
    await session.tail.settled(settleMs, signal);
    const screen = await session.screenNumber();
    return { ...session.tail.shown(length, offset), screen };
  },
});
