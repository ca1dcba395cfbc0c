import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { delimiter, join } from "node:path";
import { version } from "../../package.json";
import { runProgram } from "../program";
import type { ToolParts } from "./parts";
import type { Tool } from "./tool";

/** The coding agents that are looked for, by the name of their command. */
const AGENTS = ["claude", "codex", "gemini", "opencode", "aider", "cursor-agent", "copilot"];
/** Some take seconds to say their version: then it is left out. */
const VERSION_MS = 2_000;

/** get_app_context: what this machine is and what it has. */
export const getAppContext = ({ home, store, git, programEnv }: ToolParts): Tool<"get_app_context"> => {
  const versions = new Map<string, string>();
  return {
    async run(_params, { signal }) {
      const [activeWorkspaceId, gitVersion, agents] = await Promise.all([
        store.activeWorkspaceId(),
        git(["--version"], { signal }).catch(() => undefined),
        Promise.all(
          AGENTS.map(async (name) => {
            const found = await findProgram(name, programEnv.PATH);
            if (!found) return [];
            // A program that was replaced since is asked again, and so is one that was too slow.
            const key = `${found.path} ${found.modifiedMs}`;
            const known = versions.get(key) ?? (await askVersion(found.path, programEnv));
            if (known !== null) versions.set(key, known);
            return [{ name, version: known }];
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
        agents: agents.flat(),
      };
    },
  };
};

async function findProgram(
  name: string,
  path: string | undefined,
): Promise<{ path: string; modifiedMs: number } | undefined> {
  for (const directory of (path ?? "").split(delimiter)) {
    // An empty or relative entry means wherever the agent happens to run.
    if (!directory.startsWith("/")) continue;
    const candidate = join(directory, name);
    const found = await stat(candidate).catch(() => undefined);
    const executable =
      found?.isFile() &&
      (await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (found && executable) return { path: candidate, modifiedMs: found.mtimeMs };
  }
  return undefined;
}

async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram(path, ["--version"], {
      env,
      signal: AbortSignal.timeout(VERSION_MS),
      graceMs: 0,
    });
    return versionIn(stdout) ?? versionIn(stderr);
  } catch {
    return null;
  }
}

const versionIn = (text: string): string | null => /\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null;
