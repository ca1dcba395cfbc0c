import type { Device, Workspace } from "@grove/schemas";
import { Unplug } from "lucide-react";
import { Empty } from "../ui/empty";
import { Time } from "../ui/time";

/** Shown instead of the diff, which only the machine can compute. */
export const DeviceOffline = ({
  workspace,
  device,
}: {
  workspace: Workspace;
  device: Device | undefined;
}) => (
  <div className="p-4 sm:p-6">
    <Empty icon={Unplug} title={device ? `${device.name} is offline` : "No device has this workspace"}>
      {device ? (
        <>
          The changes are on that machine.
          {device.lastSeenAt && (
            <>
              {" "}
              It was last seen <Time at={device.lastSeenAt} />.
            </>
          )}{" "}
          This page loads when the machine is back online.
        </>
      ) : (
        <>The device of {workspace.name} was removed.</>
      )}
    </Empty>
  </div>
);
