import type { CommandStatus, Device, OfflineReason, Platform } from "@grove/schemas";

export const platforms = { mac: "macOS", windows: "Windows", linux: "Linux" } satisfies Record<
  Platform,
  string
>;

interface Reason {
  words: string;
  /** Whether the time of the last sign of life belongs behind the words. */
  since: boolean;
  /** A next step, with a command for that machine. */
  advice?: { words: string; command: string };
}

const doctor = "grove-device doctor";

const reasons = {
  never_connected: {
    words: "Never connected",
    since: false,
    advice: { words: "Start the agent on that machine.", command: "grove-device start" },
  },
  disconnected: {
    words: "Disconnected",
    since: true,
    advice: {
      words: "Its agent was stopped, or cannot reach this server. The doctor finds out.",
      command: doctor,
    },
  },
  unresponsive: {
    words: "Asleep, or its network is gone",
    since: true,
    advice: {
      words: "It stopped answering. If the machine is awake, the doctor finds out why.",
      command: doctor,
    },
  },
  revoked: { words: "Revoked", since: false },
  outdated_agent: {
    words: "Its agent is too old",
    since: true,
    advice: {
      words: "This server no longer understands its agent. Update it, then start it again.",
      command: "npm install --global @grove/device",
    },
  },
} satisfies Record<OfflineReason, Reason>;

const reasonOf = ({ offlineReason }: Device): Reason => reasons[offlineReason ?? "disconnected"];

/** The presence of a device in words. */
export function presenceOf(device: Device) {
  if (device.status === "online") return { words: "Online", since: null };
  const { words, since } = reasonOf(device);
  return { words, since: since ? device.lastSeenAt : null };
}

/** The next step for a device that is offline. */
export const adviceFor = (device: Device) =>
  device.status === "online" ? undefined : reasonOf(device).advice;

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
