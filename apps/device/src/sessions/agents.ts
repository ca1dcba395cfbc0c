import { basename } from "node:path";
import { SHELL_AGENT } from "@grove/schemas";
import { CommandFailure } from "../errors";
import type { AgentCommand, Config } from "../home/config";
import { PROMPT_PLACEHOLDER } from "../home/config";
import { findProgram } from "../lib/findProgram";

interface Preset extends AgentCommand {
  /** The prefixes of the variables that the agent or its provider reads. Project secrets cannot set them. */
  variables: readonly string[];
  /** The command with which the vendor's documentation installs it. */
  install: string;
}

const definePreset = (install: string, variables: readonly string[], ...command: string[]): Preset => ({
  command,
  prompt: "argument",
  env: {},
  variables,
  install,
});

/**
 * The well-known agents, started interactively with a prompt as their documentation describes. The prompt follows `--`
 * or is joined to its option, so that a prompt with a leading dash is not taken for an option. aider ends when its task
 * is done, since it has no interactive start with a prompt.
 */
const presets: Readonly<Record<string, Preset>> = {
  claude: definePreset(
    "curl -fsSL https://claude.ai/install.sh | bash",
    ["CLAUDE", "ANTHROPIC"],
    ...["claude", "--", PROMPT_PLACEHOLDER],
  ),
  codex: definePreset(
    "npm install -g @openai/codex",
    ["CODEX", "OPENAI"],
    ...["codex", "--", PROMPT_PLACEHOLDER],
  ),
  gemini: definePreset(
    "npm install -g @google/gemini-cli",
    ["GEMINI"],
    ...["gemini", `--prompt-interactive=${PROMPT_PLACEHOLDER}`],
  ),
  opencode: definePreset(
    "curl -fsSL https://opencode.ai/install | bash",
    ["OPENCODE"],
    ...["opencode", `--prompt=${PROMPT_PLACEHOLDER}`],
  ),
  aider: definePreset(
    "curl -LsSf https://aider.chat/install.sh | sh",
    ["AIDER"],
    ...["aider", `--message=${PROMPT_PLACEHOLDER}`],
  ),
  "cursor-agent": definePreset(
    "curl https://cursor.com/install -fsS | bash",
    ["CURSOR"],
    ...["cursor-agent", "--", PROMPT_PLACEHOLDER],
  ),
  copilot: definePreset(
    "npm install -g @github/copilot",
    ["COPILOT"],
    ...["copilot", `--interactive=${PROMPT_PLACEHOLDER}`],
  ),
};

/** The prefixes of all presets' variables. */
export const presetVariables = Object.values(presets).flatMap(({ variables }) => variables);

/** An agent of this machine, and the file of its program. */
export interface InstalledAgent {
  name: string;
  definition: AgentCommand;
  file: string;
  modifiedMs: number;
  /** Whether the program is known to support `--version` without side effects. */
  printsVersion: boolean;
}

/** The device's own agents, then the presets. */
const codingAgents = ({ agents }: Config): [string, AgentCommand][] => [
  ...Object.entries(agents),
  ...Object.entries(presets).filter(([name]) => !Object.hasOwn(agents, name)),
];

/** The user's shell, unless the owner has disabled it or given its name to another agent. */
const builtInShell = (
  { agents, shell }: Config,
  { SHELL = "/bin/sh" }: NodeJS.ProcessEnv,
): [string, AgentCommand][] =>
  shell && !Object.hasOwn(agents, SHELL_AGENT)
    ? [[SHELL_AGENT, { command: [SHELL], prompt: "typed", env: {} }]]
    : [];

const knownAgents = (config: Config, programEnv: NodeJS.ProcessEnv): Map<string, AgentCommand> =>
  new Map([...codingAgents(config), ...builtInShell(config, programEnv)]);

/** All coding agents whose program is installed. */
export const installedAgents = (config: Config, { PATH }: NodeJS.ProcessEnv): Promise<InstalledAgent[]> =>
  installedOf(codingAgents(config), PATH);

/** Everything that a session can run: {@link installedAgents}, and the built-in shell. */
export const startableAgents = (config: Config, programEnv: NodeJS.ProcessEnv): Promise<InstalledAgent[]> =>
  installedOf([...knownAgents(config, programEnv)], programEnv.PATH);

/** An agent whose program was not found. */
export interface MissingAgent {
  name: string;
  program: string;
  /** The vendor's command, for a preset. */
  install?: string;
}

/** The device's own agents and the presets whose program is missing. */
export async function missingAgents(config: Config, { PATH }: NodeJS.ProcessEnv): Promise<MissingAgent[]> {
  const missing = [];
  for (const [name, definition] of codingAgents(config)) {
    if (await installed(name, definition, PATH)) continue;
    const preset = Object.hasOwn(config.agents, name) ? undefined : presets[name];
    const program = definition.command[0] ?? "";
    missing.push({ name, program, ...(preset && { install: preset.install }) });
  }
  return missing;
}

/** Where an agent's definition comes from. */
export function originOf(name: string, { agents }: Config): "config" | "preset" | "shell" {
  if (Object.hasOwn(agents, name)) return "config";
  return name === SHELL_AGENT ? "shell" : "preset";
}

async function installedOf(
  agents: [string, AgentCommand][],
  path: string | undefined,
): Promise<InstalledAgent[]> {
  const found = await Promise.all(agents.map(([name, definition]) => installed(name, definition, path)));
  return found.filter((agent) => agent !== undefined);
}

/**
 * Chooses the agent of this name. The default is the configured agent, or otherwise the first preset that is installed.
 * @throws {CommandFailure} `unknown_agent`, `agent_not_installed`, both listing the alternatives
 */
export async function chooseAgent(
  config: Config,
  programEnv: NodeJS.ProcessEnv,
  wanted: string | undefined,
): Promise<InstalledAgent> {
  const name = wanted ?? config.defaultAgent;
  if (name === undefined) {
    const [first] = (await installedAgents(config, programEnv)).filter((agent) =>
      Object.hasOwn(presets, agent.name),
    );
    if (first) return first;
    throw new CommandFailure(
      "agent_not_installed",
      `None of ${Object.keys(presets).join(", ")} is installed on this device. Install one, or set defaultAgent in its config.json.`,
    );
  }
  const agents = knownAgents(config, programEnv);
  const definition = agents.get(name);
  if (!definition)
    throw new CommandFailure(
      "unknown_agent",
      `This device has no agent "${name}". It has: ${[...agents.keys()].join(", ")}.`,
    );
  const agent = await installed(name, definition, programEnv.PATH);
  if (agent) return agent;
  const others = (await startableAgents(config, programEnv)).map((other) => other.name);
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
