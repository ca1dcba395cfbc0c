import { readConfig } from "../../home/config";
import { missingAgents, originOf, startableAgents } from "../../sessions/agents";
import { versionOf } from "../../sessions/agentVersion";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";

/** list_agents: lists the agents that sessions can run here, and the agents whose program is missing. */
export const listAgentsTool = ({ home, programEnv }: ToolDeps): Tool<"list_agents"> => ({
  async run() {
    const config = await readConfig(home);
    const found = await startableAgents(config, programEnv);
    const [missing, agents] = await Promise.all([
      missingAgents(config, programEnv),
      Promise.all(
        found.map(async (agent) => ({
          name: agent.name,
          version: await versionOf(agent, programEnv),
          path: agent.file,
          origin: originOf(agent.name, config),
        })),
      ),
    ]);
    return { configFile: home.configFile, agents, missing };
  },
});
