import { useMutation } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Confirmation } from "../ui/confirmation";
import { type DeviceDialogProps, refetchDevices } from "./deviceDialog";

/** Shares a device with the organization, or stops sharing it. */
export function ShareDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, shared } = device;
  const update = useMutation(
    queries.device.update.mutationOptions({
      onSuccess: async () => {
        await refetchDevices();
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
      failed="Could not change the sharing of the device."
      onConfirm={() => update.mutate({ organizationId, id, shared: !shared })}
      onClose={onClose}
    >
      <p>
        {shared
          ? "Other members can no longer use the device. Their queued commands are canceled. Running agents continue."
          : "Every member of the organization may then create workspaces and run agents on it. Agents run with all permissions of the machine's user who started the device agent."}
      </p>
    </Confirmation>
  );
}
