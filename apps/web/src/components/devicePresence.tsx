import type { Device } from "@grove/schemas";
import { Time } from "../ui/time";
import { deviceTexts, type OfflineState, offlineStates } from "./deviceStates";

const stateOf = ({ offlineReason }: Device): OfflineState => offlineStates[offlineReason ?? "disconnected"];

function presenceOf(device: Device) {
  if (device.status === "online") return { label: deviceTexts.online, since: null };
  const { label, showsLastSeen } = stateOf(device);
  return { label, since: showsLastSeen ? device.lastSeenAt : null };
}

/** The next step for a device that is offline. */
export const offlineAdvice = (device: Device) =>
  device.status === "online" ? undefined : stateOf(device).advice;

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
