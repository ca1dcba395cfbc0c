import type { Device, OfflineReason, Platform } from "@grove/schemas";

export const platforms = { mac: "macOS", windows: "Windows", linux: "Linux" } satisfies Record<
  Platform,
  string
>;

/** Why a device is offline. `since`: whether the time of its last sign of life belongs behind it. */
const reasons = {
  never_connected: { words: "Never connected", since: false },
  disconnected: { words: "Disconnected", since: true },
  unresponsive: { words: "Asleep, or its network is gone", since: true },
  revoked: { words: "Revoked", since: false },
  outdated_agent: { words: "Its agent is too old for this server", since: true },
} satisfies Record<OfflineReason, { words: string; since: boolean }>;

/** The presence of a device in words. */
export function presenceOf({ status, offlineReason, lastSeenAt }: Device) {
  if (status === "online") return { words: "Online", since: null };
  const { words, since } = reasons[offlineReason ?? "disconnected"];
  return { words, since: since ? lastSeenAt : null };
}
