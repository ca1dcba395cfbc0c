import type { Device } from "@grove/schemas";

/** A device's name, and that it is offline if it is. */
export const DeviceName = ({ device }: { device: Device | undefined }) =>
  device ? (
    <span className="wrap-anywhere">
      <bdi>{device.name}</bdi>
      {device.status === "offline" && <span className="text-muted"> (offline)</span>}
    </span>
  ) : (
    <span className="text-muted">No device</span>
  );
