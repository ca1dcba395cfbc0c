import { basename } from "node:path";
import type { Home } from "../home/home";
import { writeFileAtomic } from "../lib/fileSystem";
import { shellQuote } from "../lib/shellQuote";
import type { HookEventName } from "./event";

/** How long Claude Code lets the hook of a permission request run: a person may answer a day later. */
const REQUEST_TIMEOUT_SECONDS = 86_400;

const REPORTED: HookEventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "Stop",
  "StopFailure",
];

/** Writes the settings with which a session's Claude Code runs `hook.cjs`. */
export const writeClaudeSettings = ({
  claudeSettingsFile,
  hookProgram,
}: Pick<Home, "claudeSettingsFile" | "hookProgram">): Promise<void> =>
  writeFileAtomic(claudeSettingsFile, `${JSON.stringify(claudeSettings(hookProgram), null, 2)}\n`);

/**
 * Settings that run the helper at each event. Only a permission request waits for it.
 * (https://code.claude.com/docs/en/hooks)
 */
function claudeSettings(hookProgram: string) {
  const command = shellQuote([process.execPath, hookProgram]);
  const hook = (options: object) => [{ hooks: [{ type: "command", command, ...options }] }];
  return {
    hooks: {
      ...Object.fromEntries(REPORTED.map((event) => [event, hook({ async: true, timeout: 10 })])),
      PermissionRequest: hook({ timeout: REQUEST_TIMEOUT_SECONDS }),
    },
  };
}

/** Claude Code takes the answer of a hook since this version; older ones ignore it. */
const ANSWERS_SINCE = [2, 1, 220];

/** @param version as `claude --version` prints it; null if it is unknown */
export function takesClaudeAnswers(version: string | null): boolean {
  const parts = (version ?? "0").split(".").map((part) => Number.parseInt(part, 10) || 0);
  const different = ANSWERS_SINCE.findIndex((part, at) => part !== (parts[at] ?? 0));
  return different === -1 || (parts[different] ?? 0) > (ANSWERS_SINCE[different] ?? 0);
}

/** Whether a command runs Claude Code without its own `--settings`: a second one would replace the first. */
export const takesClaudeHooks = ([program = "", ...args]: readonly string[]): boolean =>
  basename(program) === "claude" && !args.some((argument) => /^--settings(=|$)/.test(argument));

/** The command with the settings that {@link writeClaudeSettings} wrote. */
export const withClaudeHooks = (
  [program = "", ...args]: readonly string[],
  { claudeSettingsFile }: Pick<Home, "claudeSettingsFile">,
): string[] => [program, "--settings", claudeSettingsFile, ...args];
