import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentAnswer } from "@grove/schemas";
import type { AgentCommand, Config } from "../home/config";
import type { Home } from "../home/home";
import type { Log } from "../log";
import { takesClaudeAnswers, takesClaudeHooks, withClaudeHooks } from "./claude";
import { claudeAnswer } from "./claudeAnswer";
import {
  CODEX_HOLD_MS,
  CODEX_HOOK_COUNT,
  codexAnswer,
  codexConsent,
  codexHookCommand,
  codexHooks,
  takesCodexHooks,
  withCodexHooks,
} from "./codex";
import { listCodexHooks } from "./codexHookList";
import type { PermissionHookInput } from "./event";

/**
 * The text with which an agent's hook answers a request.
 * @param questions the texts of the questions, in the order of the answers
 * @returns undefined if the agent does not take this answer
 */
type AnswerFormat = (
  answer: AgentAnswer,
  asked: PermissionHookInput,
  questions: readonly string[],
) => string | undefined;

/** An agent's command and environment with Grove's hooks, for one session. */
export interface InjectedHooks {
  command: string[];
  env: Record<string, string>;
  /** Whether the agent takes answers from its hooks. Older versions of some agents ignore them. */
  takesAnswers(version: () => Promise<string | null>): Promise<boolean>;
  answerFormat: AnswerFormat;
  /** How long a request may be held, if the agent does not show its own prompt at the same time. */
  holdMs?: number;
}

/** An agent, and the file of its program. */
interface Agent {
  definition: AgentCommand;
  file: string;
}

interface HookDeps {
  home: Home;
  programEnv: NodeJS.ProcessEnv;
  log: Log;
  /** The workspace's directory. */
  cwd: string;
}

export const OPENCODE_CONFIG = "OPENCODE_CONFIG_CONTENT";

/**
 * Adds hooks to an agent that takes them for a single session, by its arguments or environment. No file of the user is
 * changed.
 * @returns undefined for other agents, where the device's owner has switched them off or has not consented to them, or
 * where the owner's own command or environment already uses the same setting
 */
export async function injectHooks(
  agent: Agent,
  { hooks }: Config,
  deps: HookDeps,
): Promise<InjectedHooks | undefined> {
  const { home, programEnv } = deps;
  const { command, env } = agent.definition;
  if (hooks.claude && takesClaudeHooks(command))
    return {
      command: withClaudeHooks(command, home),
      env: {},
      takesAnswers: async (version) => takesClaudeAnswers(await version()),
      answerFormat: claudeAnswer,
    };
  if (hooks.codex !== false && takesCodexHooks(command)) return injectCodexHooks(agent, hooks.codex, deps);
  const isOpencode = basename(command[0] ?? "") === "opencode";
  if (hooks.opencode && isOpencode && env[OPENCODE_CONFIG] === undefined && !programEnv[OPENCODE_CONFIG])
    return {
      command,
      env: { [OPENCODE_CONFIG]: JSON.stringify({ plugin: [pathToFileURL(home.opencodePlugin).href] }) },
      takesAnswers: async () => true,
      answerFormat: claudeAnswer,
    };
  return undefined;
}

/** Codex runs a hook only if a person trusts it. The owner's consent to exactly these hooks counts as that. */
async function injectCodexHooks(
  { file, definition: { command, env } }: Agent,
  consent: string,
  { home, programEnv, log, cwd }: HookDeps,
): Promise<InjectedHooks | undefined> {
  if (consent !== codexConsent(home)) {
    log.warn("codex starts without hooks: they have changed. Run `grove-device agents enable codex`");
    return undefined;
  }
  try {
    const listed = await listCodexHooks({
      file,
      settings: codexHooks(home),
      command: codexHookCommand(home.hookProgram),
      cwd,
      env: { ...programEnv, ...env },
    });
    if (listed.length !== CODEX_HOOK_COUNT)
      throw new Error(`codex lists ${listed.length} of ${CODEX_HOOK_COUNT} hooks`);
    return {
      command: withCodexHooks(command, home, listed),
      env: {},
      takesAnswers: async () => true,
      answerFormat: codexAnswer,
      holdMs: CODEX_HOLD_MS,
    };
  } catch (error) {
    log.warn({ err: error }, "codex starts without hooks: their hashes are unknown");
    return undefined;
  }
}
