import { useMutation } from "@tanstack/react-query";
import { queries } from "../app/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Problem } from "../ui/problem";
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
    <Dialog title={shared ? "Stop sharing the device?" : "Share the device?"} open onOpenChange={onClose}>
      <p>
        {shared
          ? "Other members can no longer use it. Commands of theirs that it has not taken are canceled; agents that run go on."
          : "Every member of the organization may then make workspaces and run agents on it. Agents run as the user of that machine, with everything that this user may do."}
      </p>
      {update.error && <Problem title="Nothing was changed." error={update.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          busy={update.isPending}
          onClick={() => update.mutate({ organizationId, id, shared: !shared })}
        >
          {shared ? "Stop sharing" : "Share"}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
