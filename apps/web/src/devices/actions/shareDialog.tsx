import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

/** Shares a device with the organization, or stops sharing it. */
export function ShareDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, shared } = device;
  const update = useMutationWithRefetch(queries.device.update.mutationOptions(), {
    refetch: [queries.device.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={shared ? "Stop sharing the device?" : "Share the device?"}
      action={shared ? "Stop sharing" : "Share"}
      look="primary"
      change={update}
      failed="Could not change who can use the device."
      onSubmit={() => update.mutate({ organizationId, id, shared: !shared })}
      onClose={onClose}
    >
      <p>
        {shared
          ? "Other members can no longer use the device. Their queued commands are canceled. Running agents continue."
          : "Every member of the organization can then create workspaces and run agents on it. Agents run with all permissions of the machine's user who started grove-device."}
      </p>
    </Confirmation>
  );
}
