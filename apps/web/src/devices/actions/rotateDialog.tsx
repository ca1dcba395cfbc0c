import { useMutation } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { CopyLine } from "../../ui/copyButton";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { Problem } from "../../ui/problem";
import { SecretDialog } from "../../ui/secretDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

/** Rotates a device's key. The new key is shown only in this dialog. */
export function RotateDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId } = device;
  const rotate = useMutation(queries.device.rotateKey.mutationOptions({ gcTime: 0 }));
  if (rotate.data)
    return (
      <SecretDialog title="New key" secret="key" onClose={onClose}>
        {(onCopied) => (
          <>
            <p>The key is shown only once. Start grove-device on that machine with it:</p>
            <CopyLine
              text={`DEVICE_KEY=${rotate.data.apiKey} grove-device start`}
              label="Copy the command with the key"
              onCopied={onCopied}
            />
          </>
        )}
      </SecretDialog>
    );
  return (
    <Dialog title="Rotate the key?" open onOpenChange={onClose}>
      <p>The current key stops working immediately, and the machine is offline until it gets the new one.</p>
      {rotate.error && <Problem title="Could not rotate the key." error={rotate.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate({ organizationId, id })}>
          Rotate key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
