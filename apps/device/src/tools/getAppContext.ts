import { hostname } from "node:os";
import { version } from "../../package.json";
import { readConfig } from "../home/config";
import { chooseAgent, installedAgents } from "../sessions/agents";
import { readVersion, versionIn } from "../sessions/agentVersion";
import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";

/** get_app_context: describes this machine, its projects, workspaces and agents. */
export const getAppContext = ({
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
      const installed = await installedAgents(config, programEnv.PATH);
      const [activeWorkspaceId, gitVersion, defaultAgent, agents] = await Promise.all([
        store.activeWorkspaceId(),
        git(["--version"], { signal }).catch(() => undefined),
        chooseAgent(config, programEnv.PATH, undefined).then(
          ({ name }) => name,
          () => null,
        ),
        Promise.all(
          installed.map(async ({ name, file, modifiedMs, printsVersion }) => {
            if (!printsVersion) return { name, version: null };
            // The version is asked again if the program was replaced, or was too slow last time.
            const key = `${file} ${modifiedMs}`;
            const known = versions.get(key) ?? (await readVersion(file, programEnv));
            if (known !== null) versions.set(key, known);
            return { name, version: known };
          }),
        ),
      ]);
      return {
        hostName: hostname(),
        platform: process.platform,
        agentVersion: version,
        home: home.root,
        activeWorkspaceId,
        git: gitVersion === undefined ? null : { version: versionIn(gitVersion) ?? gitVersion.trim() },
        agents,
        defaultAgent,
        sessions: sessions.roster.running(),
      };
    },
  };
};
