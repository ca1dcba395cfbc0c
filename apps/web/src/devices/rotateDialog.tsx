import { useMutation } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Problem } from "../ui/problem";
import type { DeviceDialogProps } from "./change";

/** Gives a device a new key. The key is only in this window, and gone with it. */
export function RotateDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId } = device;
  const rotate = useMutation(queries.device.rotateKey.mutationOptions({ gcTime: 0 }));
  if (rotate.data)
    return (
      <Dialog title="The new key" open onOpenChange={onClose} keepOpen>
        <p>It is shown only now. Start the agent on that machine with it:</p>
        <CopyLine
          text={`DEVICE_KEY=${rotate.data.apiKey} grove-device start`}
          label="Copy the command with the key"
        />
        <DialogButtons>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <Dialog title="Make a new key?" open onOpenChange={onClose}>
      <p>The present key ends at this moment, and the machine goes offline until it has the new one.</p>
      {rotate.error && <Problem title="The key is still the same." error={rotate.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate({ organizationId, id })}>
          Make a new key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
