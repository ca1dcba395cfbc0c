import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { fieldError, Problem } from "../ui/problem";
import { type DeviceDialogProps, refetchDevices } from "./deviceDialog";

export function RenameDialog({ device, onClose }: DeviceDialogProps) {
  const update = useMutation(
    queries.device.update.mutationOptions({
      onSuccess: async () => {
        await refetchDevices();
        onClose();
      },
    }),
  );
  const { id, organizationId } = device;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    update.mutate({ organizationId, id, name });
  };
  const wrong = fieldError(update.error, "name");
  return (
    <Dialog title="Rename the device" open onOpenChange={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          name="name"
          defaultValue={device.name}
          maxLength={200}
          autoComplete="off"
          required
          error={wrong}
        />
        {update.error && wrong === undefined && (
          <Problem title="Could not rename the device." error={update.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={update.isPending}>
            Rename
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
