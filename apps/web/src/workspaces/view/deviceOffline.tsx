import type { Device, Workspace } from "@grove/schemas";
import { Unplug } from "lucide-react";
import { EmptyState } from "../../ui/emptyState";
import { Time } from "../../ui/time";

/** Shown instead of the changes and the files, which only the machine can read. */
export const DeviceOffline = ({
  workspace,
  device,
}: {
  workspace: Workspace;
  device: Device | undefined;
}) => (
  <div className="p-4 sm:p-6">
    <EmptyState icon={Unplug} title={device ? `${device.name} is offline` : "No device has this workspace"}>
      {device ? (
        <>
          The worktree is on that machine.
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
    </EmptyState>
  </div>
);
