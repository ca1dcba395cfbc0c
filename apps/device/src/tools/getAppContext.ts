import { hostname } from "node:os";
import { version as agentVersion } from "../../package.json";
import { readConfig } from "../home/config";
import { chooseAgent, startableAgents } from "../sessions/agents";
import { readVersion, versionIn } from "../sessions/agentVersion";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";

/** get_app_context: describes this machine, its projects, workspaces and agents. */
export const getAppContextTool = ({
  home,
  store,
  git,
  sessions,
  programEnv,
}: ToolDeps): Tool<"get_app_context"> => {
  const versions = new Map<string, string>();
  return {
    async run(_params, { signal }) {
      const config = await readConfig(home);
      const startable = await startableAgents(config, programEnv);
      const [activeWorkspaceId, gitVersion, defaultAgent, agents] = await Promise.all([
        store.activeWorkspaceId(),
        git(["--version"], { signal }).catch(() => undefined),
        chooseAgent(config, programEnv, undefined).then(
          ({ name }) => name,
          () => null,
        ),
        Promise.all(
          startable.map(async ({ name, file, modifiedMs, printsVersion }) => {
            if (!printsVersion) return { name, version: null };
            // The version is read again if the program was replaced, or was too slow last time.
            const key = `${file} ${modifiedMs}`;
            const version = versions.get(key) ?? (await readVersion(file, programEnv));
            if (version !== null) versions.set(key, version);
            return { name, version };
          }),
        ),
      ]);
      return {
        hostName: hostname(),
        platform: process.platform,
        agentVersion,
        home: home.root,
        activeWorkspaceId,
        git: gitVersion === undefined ? null : { version: versionIn(gitVersion) ?? gitVersion.trim() },
        agents,
        defaultAgent,
        sessions: sessions.registry.running(),
      };
    },
  };
};
