import { basename } from "node:path";
import * as z from "zod";
import type { Home } from "../home/home";
import { shellQuote } from "../lib/shellQuote";

/**
 * The hooks for the user's own `settings.json` of Gemini CLI, which takes none for a single session. Outside Grove's
 * sessions the helper does nothing.
 * (https://geminicli.com/docs/hooks)
 */
export function geminiSettings({ hookProgram }: Pick<Home, "hookProgram">) {
  const command = shellQuote([process.execPath, hookProgram]);
  const hook = [{ hooks: [{ type: "command", name: "grove", command, timeout: 10_000 }] }];
  return { hooks: { BeforeAgent: hook, AfterTool: hook, Notification: hook, AfterAgent: hook } };
}

/** Whether a command runs Gemini CLI, whose user may have pasted {@link geminiSettings}. */
export const isGemini = ([program = ""]: readonly string[]): boolean => basename(program) === "gemini";

const toolPermission = z.object({
  hook_event_name: z.literal("Notification"),
  notification_type: z.literal("ToolPermission"),
  details: z.looseObject({ type: z.string() }),
});

/** Translates an event of Gemini's hooks to Claude Code's event with the same meaning. Other events are not changed. */
export function asClaudeEvent(input: unknown): unknown {
  const asked = toolPermission.safeParse(input).data;
  // A notification of Gemini CLI cannot be answered.
  if (asked)
    return {
      hook_event_name: "PermissionRequest",
      is_answerable: false,
      tool_name: asked.details.type,
      tool_input: asked.details,
    };
  switch (z.object({ hook_event_name: z.string() }).safeParse(input).data?.hook_event_name) {
    case "BeforeAgent":
    // The tool call that a request was about is over.
    case "AfterTool":
      return { hook_event_name: "UserPromptSubmit" };
    case "AfterAgent":
      return { hook_event_name: "Stop" };
    default:
      return input;
  }
}
