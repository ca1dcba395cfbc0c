import type { Device, OfflineReason } from "@grove/schemas";
import { installLine } from "../lib/installCommand";
import { Time } from "../ui/time";

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
      words: "This server no longer understands its agent. This line updates it and starts it again.",
      command: installLine(),
    },
  },
} satisfies Record<OfflineReason, Reason>;

const reasonOf = ({ offlineReason }: Device): Reason => reasons[offlineReason ?? "disconnected"];

/** The presence of a device in words. */
function presenceOf(device: Device) {
  if (device.status === "online") return { words: "Online", since: null };
  const { words, since } = reasonOf(device);
  return { words, since: since ? device.lastSeenAt : null };
}

/** The next step for a device that is offline. */
export const adviceFor = (device: Device) =>
  device.status === "online" ? undefined : reasonOf(device).advice;

/** A device's presence, by shape and by word; offline with the reason and since when. */
export function Presence({ device }: { device: Device }) {
  const { words, since } = presenceOf(device);
  const isOnline = device.status === "online";
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full ${isOnline ? "bg-accent" : "border-2 border-edge"}`}
      />
      <span className={isOnline ? "" : "text-muted"}>
        {words}
        {since && (
          <>
            {", "}
            <Time at={since} />
          </>
        )}
      </span>
    </span>
  );
}
