import type { Device } from "@grove/schemas";
import { VisibleName } from "../ui/visibleName";

/** A device's name, followed by "(offline)" if the device is offline. */
export const DeviceName = ({ device }: { device: Device | undefined }) =>
  device ? (
    <span className="wrap-anywhere">
      <VisibleName>{device.name}</VisibleName>
      {device.status === "offline" && <span className="text-muted"> (offline)</span>}
    </span>
  ) : (
    <span className="text-muted">No device</span>
  );
