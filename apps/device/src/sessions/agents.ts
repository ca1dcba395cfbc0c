import { basename } from "node:path";
import { CommandFailure } from "../errors";
import { findProgram } from "../findProgram";
import type { AgentCommand, Config } from "../home/config";
import { PROMPT_PLACEHOLDER } from "../home/config";

interface Preset extends AgentCommand {
  /** The prefixes of the variables that the agent or its provider reads. They belong to the machine. */
  variables: readonly string[];
}

const preset = (variables: readonly string[], ...command: string[]): Preset => ({
  command,
  prompt: "argument",
  env: {},
  variables,
});

/**
 * The well-known agents, started interactively with a prompt as their documentation describes. The prompt follows `--`
 * or is joined to its option, so that a prompt with a leading dash is not taken for an option. aider ends when its task
 * is done, since it has no interactive start with a prompt.
 */
const presets: Readonly<Record<string, Preset>> = {
  claude: preset(["CLAUDE", "ANTHROPIC"], "claude", "--", PROMPT_PLACEHOLDER),
  codex: preset(["CODEX", "OPENAI"], "codex", "--", PROMPT_PLACEHOLDER),
  gemini: preset(["GEMINI"], "gemini", `--prompt-interactive=${PROMPT_PLACEHOLDER}`),
  opencode: preset(["OPENCODE"], "opencode", `--prompt=${PROMPT_PLACEHOLDER}`),
  aider: preset(["AIDER"], "aider", `--message=${PROMPT_PLACEHOLDER}`),
  "cursor-agent": preset(["CURSOR"], "cursor-agent", "--", PROMPT_PLACEHOLDER),
  copilot: preset(["COPILOT"], "copilot", `--interactive=${PROMPT_PLACEHOLDER}`),
};

/** The prefixes of all presets' variables. */
export const presetVariables = Object.values(presets).flatMap(({ variables }) => variables);

/** An agent of this machine, and the file of its program. */
export interface InstalledAgent {
  name: string;
  definition: AgentCommand;
  file: string;
  modifiedMs: number;
  /** Whether its program is known to support `--version` without side effects. */
  printsVersion: boolean;
}

/** The device's own agents, then the presets. */
const knownAgents = ({ agents }: Config): Map<string, AgentCommand> =>
  new Map([
    ...Object.entries(agents),
    ...Object.entries(presets).filter(([name]) => !Object.hasOwn(agents, name)),
  ]);

/** All agents whose program is installed. */
export async function installedAgents(config: Config, path: string | undefined): Promise<InstalledAgent[]> {
  const found = await Promise.all(
    [...knownAgents(config)].map(([name, definition]) => installed(name, definition, path)),
  );
  return found.filter((agent) => agent !== undefined);
}

/**
 * Chooses the agent of this name. The default is the configured agent, or otherwise the first preset that is installed.
 * @throws {CommandFailure} `unknown_agent`, `agent_not_installed`, both listing the alternatives
 */
export async function chooseAgent(
  config: Config,
  path: string | undefined,
  wanted: string | undefined,
): Promise<InstalledAgent> {
  const name = wanted ?? config.defaultAgent;
  if (name === undefined) {
    const [first] = (await installedAgents(config, path)).filter((agent) =>
      Object.hasOwn(presets, agent.name),
    );
    if (first) return first;
    throw new CommandFailure(
      "agent_not_installed",
      `None of ${Object.keys(presets).join(", ")} is installed on this device. Install one, or set defaultAgent in its config.json.`,
    );
  }
  const definition = knownAgents(config).get(name);
  if (!definition)
    throw new CommandFailure(
      "unknown_agent",
      `This device knows no agent "${name}". It knows: ${[...knownAgents(config).keys()].join(", ")}.`,
    );
  const agent = await installed(name, definition, path);
  if (agent) return agent;
  const others = (await installedAgents(config, path)).map((other) => other.name);
  throw new CommandFailure(
    "agent_not_installed",
    `The agent "${name}" is not installed on this device: there is no program "${definition.command[0]}". Installed: ${others.join(", ") || "none"}.`,
  );
}

async function installed(
  name: string,
  definition: AgentCommand,
  path: string | undefined,
): Promise<InstalledAgent | undefined> {
  const found = await findProgram(definition.command[0] ?? "", path);
  if (!found) return undefined;
  const printsVersion = Object.hasOwn(presets, basename(found.path));
  return { name, definition, file: found.path, modifiedMs: found.modifiedMs, printsVersion };
}
