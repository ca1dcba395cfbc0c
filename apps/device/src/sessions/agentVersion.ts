import { timeoutSignal } from "@grove/signals";
import type { Config } from "../home/config";
import { runProgram } from "../lib/program";
import { type InstalledAgent, installedAgents } from "./agents";

/** Some agents take seconds to print their version; it is then omitted. */
const VERSION_MS = 2_000;

/** A coding agent of this machine, with its version if its program is known to print one. */
export interface AgentFound {
  name: string;
  version: string | null;
}

/** Returns the installed agents with their versions, within about two seconds. */
export async function findAgents(config: Config, env: NodeJS.ProcessEnv): Promise<AgentFound[]> {
  const installed = await installedAgents(config, env);
  return Promise.all(
    installed.map(async (agent) => ({ name: agent.name, version: await versionOf(agent, env) })),
  );
}

/** Returns an agent's version, or null if its program is not known to print one. */
export const versionOf = async (
  { file, printsVersion }: InstalledAgent,
  env: NodeJS.ProcessEnv,
  timeoutMs?: number,
): Promise<string | null> => (printsVersion ? readVersion(file, env, timeoutMs) : null);

/** Runs a program with `--version`. Returns null if it prints no version in time. */
export async function readVersion(
  path: string,
  env: NodeJS.ProcessEnv,
  timeoutMs = VERSION_MS,
): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram(path, ["--version"], {
      env,
      signal: timeoutSignal(timeoutMs),
      graceMs: 0,
    });
    return versionIn(stdout) ?? versionIn(stderr);
  } catch {
    return null;
  }
}

/** Returns the first version number in a text. */
export const versionIn = (text: string): string | null => /\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null;
