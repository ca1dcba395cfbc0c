import type { Device, OfflineReason } from "@grove/schemas";
import { installLine } from "../lib/installCommand";
import { Time } from "../ui/time";

interface Reason {
  words: string;
  /** Whether to append the time when the device was last seen. */
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
      words: "The agent was stopped, or cannot reach this server. Run the doctor to find out why.",
      command: doctor,
    },
  },
  unresponsive: {
    words: "Asleep or without network",
    since: true,
    advice: {
      words: "The machine stopped responding. If it is awake, run the doctor to find out why.",
      command: doctor,
    },
  },
  revoked: { words: "Revoked", since: false },
  outdated_agent: {
    words: "Agent too old",
    since: true,
    advice: {
      words:
        "This server no longer supports the version of the agent. This command updates and restarts the agent.",
      command: installLine(),
    },
  },
} satisfies Record<OfflineReason, Reason>;

const reasonOf = ({ offlineReason }: Device): Reason => reasons[offlineReason ?? "disconnected"];

function presenceOf(device: Device) {
  if (device.status === "online") return { words: "Online", since: null };
  const { words, since } = reasonOf(device);
  return { words, since: since ? device.lastSeenAt : null };
}

/** The next step for a device that is offline. */
export const adviceFor = (device: Device) =>
  device.status === "online" ? undefined : reasonOf(device).advice;

/** A device's presence as a symbol and a label, with the reason and the time if the device is offline. */
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
