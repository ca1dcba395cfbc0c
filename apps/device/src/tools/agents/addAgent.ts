import { isDeepStrictEqual } from "node:util";
import { CommandFailure } from "../../errors";
import { addAgent, readConfig } from "../../home/config";
import { startableAgents } from "../../sessions/agents";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { requireOwner } from "../requireOwner";

/** add_agent: adds an agent to config.json, for the device's owner. */
export const addAgentTool = ({ home, locks, programEnv }: ToolDeps): Tool<"add_agent"> => ({
  async run({ name, command, prompt }, { requester, signal }) {
    await requireOwner(requester, "add agents to it");
    // Two commands at the same time must not overwrite each other's agent.
    await locks.run(
      home.configFile,
      async () => {
        const config = await readConfig(home);
        // The response to an earlier call may have been lost.
        if (isDeepStrictEqual(config.agents[name], { command, prompt, env: {} })) return;
        const startable = await startableAgents(config, programEnv);
        if (startable.some((agent) => agent.name === name))
          throw new CommandFailure("agent_exists", `The device already has an agent "${name}".`);
        await addAgent(home, name, { command, prompt });
      },
      signal,
    );
    return { success: true };
  },
});
