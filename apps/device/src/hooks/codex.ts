import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { AgentAnswer } from "@grove/schemas";
import type { Home } from "../home/home";
import { shellQuote } from "../lib/shellQuote";
import type { CodexHook } from "./codexHookList";
import type { HookEventName, PermissionHookInput } from "./event";

/** The maximum time for which a request is held. While its hook runs, Codex does not show its own prompt. */
export const CODEX_HOLD_MS = 590_000;

/** How long Codex lets each hook run, in seconds. Only the hook of a permission request waits for a person. */
const TIMEOUTS = {
  SessionStart: 10,
  UserPromptSubmit: 10,
  PermissionRequest: 600,
  Stop: 10,
} as const satisfies Partial<Record<HookEventName, number>>;

/** The settings that Grove adds to a session's Codex. The owner consents to exactly these lines. */
export const codexHooks = ({ hookProgram }: Pick<Home, "hookProgram">): string[] =>
  Object.entries(TIMEOUTS).map(
    ([event, timeout]) =>
      `hooks.${event}=[{hooks=[{type="command",command=${toml(codexHookCommand(hookProgram))},timeout=${timeout}}]}]`,
  );

/** The shell that Codex starts becomes the helper: Codex would wait for a child that holds its stdout. */
export const codexHookCommand = (hookProgram: string): string =>
  `exec ${shellQuote([process.execPath, hookProgram])}`;

/** A JSON string is a basic string of TOML. */
const toml = (text: string) => JSON.stringify(text);

/** Names the hooks to which the owner has consented, so that other hooks need another consent. */
export const codexConsent = (home: Pick<Home, "hookProgram">): string =>
  `sha256:${createHash("sha256").update(codexHooks(home).join("\n")).digest("hex")}`;

export const isCodex = ([program = ""]: readonly string[]): boolean => basename(program) === "codex";

/** Whether a command runs Codex without its own hooks: they would replace Grove's, or be replaced. */
export const takesCodexHooks = (command: readonly string[]): boolean =>
  isCodex(command) && !command.some((argument) => /^((-c|--config)=?)?hooks[.=]/.test(argument));

/** The command with the hooks, and with the hashes by which Codex trusts them. */
export const withCodexHooks = (
  [program = "", ...args]: readonly string[],
  home: Pick<Home, "hookProgram">,
  listed: readonly CodexHook[],
): string[] => {
  const trusted = listed.map(({ key, currentHash }) => `${toml(key)}={trusted_hash=${toml(currentHash)}}`);
  const settings = [...codexHooks(home), `hooks.state={${trusted.join(",")}}`];
  return [program, ...settings.flatMap((setting) => ["-c", setting]), ...args];
};

/** One entry for each hook that {@link codexHooks} adds. */
export const CODEX_HOOK_COUNT = Object.keys(TIMEOUTS).length;

/**
 * The text that a hook prints to answer a permission request. Codex refuses the answers of Claude Code that change the
 * input or the rules, so an answer allows or denies, once.
 * @returns undefined for an answer that Codex does not take
 */
export function codexAnswer(answer: AgentAnswer, _asked: PermissionHookInput): string | undefined {
  if (answer.decision === "answer") return undefined;
  const message = answer.decision === "deny" ? answer.message : undefined;
  const decision = { behavior: answer.decision, ...(message !== undefined && { message }) };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
}
