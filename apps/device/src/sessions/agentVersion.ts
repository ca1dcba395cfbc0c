import { limit } from "@grove/signals";
import type { Config } from "../home/config";
import { runProgram } from "../program";
import { installedAgents } from "./agents";

/** Some agents take seconds to print their version; then it is left out. */
const VERSION_MS = 2_000;

/** A coding agent of this machine, with its version if its program is known to print one. */
export interface AgentFound {
  name: string;
  version: string | null;
}

/** The installed agents with their versions, found within about two seconds. */
export async function findAgents(config: Config, env: NodeJS.ProcessEnv): Promise<AgentFound[]> {
  const installed = await installedAgents(config, env.PATH);
  return Promise.all(
    installed.map(async ({ name, file, saysVersion }) => ({
      name,
      version: saysVersion ? await askVersion(file, env) : null,
    })),
  );
}

/** Asks a program for its version; null if it prints none in time. */
export async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram(path, ["--version"], {
      env,
      signal: limit(VERSION_MS),
      graceMs: 0,
    });
    return versionIn(stdout) ?? versionIn(stderr);
  } catch {
    return null;
  }
}

/** The first part of a text that looks like a version. */
export const versionIn = (text: string): string | null => /\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null;
