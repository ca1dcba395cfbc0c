import type { CommandStatus, DeviceToolName, Platform } from "@grove/schemas";

export const platforms = { mac: "macOS", windows: "Windows", linux: "Linux" } satisfies Record<
  Platform,
  string
>;

/** The states of a command, by shape and by word. */
export const commandStates = {
  queued: { words: "Queued", mark: "·", kind: "open" },
  claimed: { words: "Sent", mark: "○", kind: "open" },
  running: { words: "Running", mark: "◐", kind: "open" },
  succeeded: { words: "Succeeded", mark: "✓", kind: "good" },
  failed: { words: "Failed", mark: "×", kind: "bad" },
  canceled: { words: "Canceled", mark: "–", kind: "open" },
  expired: { words: "Expired", mark: "–", kind: "bad" },
  timed_out: { words: "Took too long", mark: "×", kind: "bad" },
  lost: { words: "Lost", mark: "?", kind: "bad" },
} satisfies Record<CommandStatus, { words: string; mark: string; kind: "open" | "good" | "bad" }>;

/** Whether a command in this state has not ended. */
export const mayRun = (status: CommandStatus): boolean =>
  status === "queued" || status === "claimed" || status === "running";

/** The meaning of a state, where its word does not say enough. */
export const explanations = {
  queued: "It waits for the machine to take it.",
  claimed: "The machine has been sent it, and has not begun yet.",
  running: undefined,
  succeeded: undefined,
  failed: undefined,
  canceled: undefined,
  expired: "The machine did not take it in time, so it never ran.",
  timed_out: "It took longer than it may, so it was ended. The machine undoes what is half-made.",
  lost: "The machine never reported its end. It may have run: look there before you ask again. A late result still appears here.",
} satisfies Record<CommandStatus, string | undefined>;

/** The purpose of each tool: work, typing into an agent, or a look at how things are. */
const kinds = {
  create_workspace: "work",
  list_workspaces: "look",
  list_projects: "look",
  get_app_context: "look",
  run_doctor: "look",
  switch_workspace: "work",
  delete_workspace: "work",
  update_workspace: "work",
  get_workspace_details: "look",
  get_workspace_diff: "look",
  start_agent_session: "work",
  get_agent_screen: "look",
  send_agent_input: "typing",
  resize_agent_session: "typing",
  stop_agent_session: "work",
} satisfies Record<DeviceToolName, "work" | "typing" | "look">;

const kindOf = (tool: string) => Object.entries(kinds).find(([name]) => name === tool)?.[1];

/** All tools, by their names. */
export const tools = Object.keys(kinds).sort();

/** The tools whose commands would drown all others. */
export const quietTools = Object.keys(kinds).filter((tool) => kindOf(tool) !== "work");

/** Whether it makes sense to ask for a command again: what was typed is not kept. */
export const canBeRepeated = (tool: string): boolean => kindOf(tool) !== "typing";
