import type { CommandStatus, Platform } from "@grove/schemas";

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
