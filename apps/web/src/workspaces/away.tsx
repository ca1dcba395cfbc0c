import type { Device, Workspace } from "@grove/schemas";
import { Unplug } from "lucide-react";
import { Empty } from "../ui/empty";
import { Time } from "../ui/time";

/** The diff is read on the machine, so it has to be there. */
export const Away = ({ workspace, device }: { workspace: Workspace; device: Device | undefined }) => (
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
          This page goes on as soon as it is back.
        </>
      ) : (
        <>The device of {workspace.name} was removed.</>
      )}
    </Empty>
  </div>
);
