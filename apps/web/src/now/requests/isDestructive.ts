import type { AgentRequest } from "@grove/schemas";

/** Parts of commands that delete or overwrite, or run what was downloaded. */
const patterns = [
  /\brm\b[^\n;&|]*\s-(\w*r|-recursive)/i,
  /--force\b/,
  /\bgit\b[^\n;&|]*\bpush\b[^\n;&|]*\s-\w*f/,
  /\bgit\b[^\n;&|]*\breset\b[^\n;&|]*--hard\b/,
  /\bdrop\s+(database|index|owned|role|schema|table|user|view)\b/i,
  /\b(curl|wget)\b[^\n;]*\|\s*(sudo\s+)?(\S*\/)?\w*sh\b/,
];

/** Whether to ask twice before a command is allowed. This prevents accidental presses; it is not a protection. */
export const isDestructive = ({ kind, input }: Pick<AgentRequest, "kind" | "input">): boolean =>
  kind === "permission" && patterns.some((pattern) => pattern.test(input ?? ""));
