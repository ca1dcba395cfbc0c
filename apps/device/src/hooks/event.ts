import * as z from "zod";
import { asClaudeEvent } from "./gemini";

const toolEvent = {
  tool_name: z.string().max(1_000),
  tool_input: z.record(z.string(), z.unknown()).default({}),
};
/** Set for the events of a subagent. */
const common = { agent_id: z.string().max(200).optional() };

/**
 * The events of Claude Code's hooks that Grove uses, with the fields that it reads
 * (https://code.claude.com/docs/en/hooks). The hooks of other agents are translated into these.
 */
const hookInput = z.discriminatedUnion("hook_event_name", [
  z.object({ hook_event_name: z.literal("SessionStart"), ...common }),
  z.object({ hook_event_name: z.literal("UserPromptSubmit"), ...common }),
  z.object({ hook_event_name: z.literal("PreToolUse"), ...common, ...toolEvent }),
  z.object({ hook_event_name: z.literal("PostToolUse"), ...common, ...toolEvent }),
  z.object({ hook_event_name: z.literal("PostToolUseFailure"), ...common, ...toolEvent }),
  z.object({
    hook_event_name: z.literal("PermissionRequest"),
    ...common,
    ...toolEvent,
    /** False if only the terminal takes an answer. */
    is_answerable: z.boolean().optional(),
    /** The rules that the agent's own prompt offers to add. */
    permission_suggestions: z
      .array(z.looseObject({ type: z.string() }))
      .max(20)
      .optional(),
  }),
  z.object({
    hook_event_name: z.literal("Notification"),
    ...common,
    notification_type: z.string().optional(),
  }),
  z.object({
    hook_event_name: z.literal("Stop"),
    ...common,
    background_tasks: z.array(z.unknown()).optional(),
  }),
  z.object({
    hook_event_name: z.literal("StopFailure"),
    ...common,
    error: z.string().max(1_000).optional(),
    error_details: z.string().optional().catch(undefined),
    /** When a usage limit ends, in milliseconds since 1970. */
    limited_until: z.number().optional().catch(undefined),
  }),
]);
export type HookInput = z.infer<typeof hookInput>;
export type HookEventName = HookInput["hook_event_name"];
export type PermissionHookInput = Extract<HookInput, { hook_event_name: "PermissionRequest" }>;
export type FailureHookInput = Extract<HookInput, { hook_event_name: "StopFailure" }>;
export type ToolHookInput = Extract<HookInput, { tool_name: string }>;

/** A line of the helper. `at` is when it was started, since asynchronous hooks overtake one another. */
export const hookMessage = z.object({
  token: z.string().max(100),
  /** Milliseconds since 1970. */
  at: z.number(),
  input: z.preprocess(asClaudeEvent, hookInput),
});
