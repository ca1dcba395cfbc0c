import { useMutation } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { type DeviceDialogProps, refetchDevices } from "./deviceDialog";

/** Sets the SSH host name by which editors reach the device. */
export function SshDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, sshHost } = device;
  const update = useMutation(
    queries.device.update.mutationOptions({
      onSuccess: async () => {
        await refetchDevices();
        onClose();
      },
    }),
  );
  const wrong = fieldError(update.error, "sshHost");
  return (
    <Dialog title="Open the device's workspaces in an editor" open onOpenChange={onClose}>
      <Form
        onSubmit={(text) => update.mutate({ organizationId, id, sshHost: text("sshHost").trim() || null })}
      >
        <p>
          Editors on other machines connect to this one over SSH. Every member sees the host name. Grove does
          not handle the SSH keys.
        </p>
        <Field
          label="SSH host"
          hint="As in ssh laptop.example.com, or an alias in every member's SSH configuration. Leave empty for none."
          name="sshHost"
          defaultValue={sshHost ?? ""}
          placeholder="ada@laptop.example.com"
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={wrong}
        />
        {update.error && wrong === undefined && (
          <Problem title="Could not save the SSH host." error={update.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={update.isPending}>
            Save
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
