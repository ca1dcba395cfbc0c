import { useMutation } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Confirmation } from "../ui/confirmation";
import { type DeviceDialogProps, readDevicesAgain } from "./change";

/** Shares a device, or stops that. */
export function ShareDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, shared } = device;
  const update = useMutation(
    queries.device.update.mutationOptions({
      onSuccess: async () => {
        await readDevicesAgain();
        onClose();
      },
    }),
  );
  return (
    <Confirmation
      title={shared ? "Stop sharing the device?" : "Share the device?"}
      action={shared ? "Stop sharing" : "Share"}
      look="primary"
      change={update}
      failed="Nothing was changed."
      onConfirm={() => update.mutate({ organizationId, id, shared: !shared })}
      onClose={onClose}
    >
      <p>
        {shared
          ? "Other members can no longer use it. Commands of theirs that it has not taken are canceled; agents that run go on."
          : "Every member of the organization may then make workspaces and run agents on it. Agents run as the user of that machine, with everything that this user may do."}
      </p>
    </Confirmation>
  );
}
