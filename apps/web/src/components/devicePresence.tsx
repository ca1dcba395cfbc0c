import type { Device, OfflineReason } from "@grove/schemas";
import { installCommand } from "../lib/installCommand";
import { Time } from "../ui/time";

interface Reason {
  label: string;
  /** Whether to append the time when the device was last seen. */
  showsLastSeen: boolean;
  /** A next step, with a command for that machine. */
  advice?: { text: string; command: string };
}

const doctor = "grove-device doctor";

const reasons = {
  never_connected: {
    label: "Never connected",
    showsLastSeen: false,
    advice: { text: "Start grove-device on that machine.", command: "grove-device start" },
  },
  disconnected: {
    label: "Disconnected",
    showsLastSeen: true,
    advice: {
      text: "The agent was stopped, or cannot reach this server. Run this command to find out why.",
      command: doctor,
    },
  },
  unresponsive: {
    label: "Asleep or without network",
    showsLastSeen: true,
    advice: {
      text: "The machine stopped responding. If it is awake, run this command to find out why.",
      command: doctor,
    },
  },
  revoked: { label: "Revoked", showsLastSeen: false },
  outdated_agent: {
    label: "Agent outdated",
    showsLastSeen: true,
    advice: {
      text: "This server no longer supports this version of the agent. This command updates and restarts the agent.",
      command: installCommand(),
    },
  },
} satisfies Record<OfflineReason, Reason>;

const reasonOf = ({ offlineReason }: Device): Reason => reasons[offlineReason ?? "disconnected"];

function presenceOf(device: Device) {
  if (device.status === "online") return { label: "Online", since: null };
  const { label, showsLastSeen } = reasonOf(device);
  return { label, since: showsLastSeen ? device.lastSeenAt : null };
}

/** The next step for a device that is offline. */
export const offlineAdvice = (device: Device) =>
  device.status === "online" ? undefined : reasonOf(device).advice;

/** A device's presence as a symbol and a label, with the reason and the time if the device is offline. */
export function DevicePresence({ device }: { device: Device }) {
  const { label, since } = presenceOf(device);
  const isOnline = device.status === "online";
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full ${isOnline ? "bg-accent" : "border-2 border-edge"}`}
      />
      <span className={isOnline ? "" : "text-muted"}>
        {label}
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
