import { useMutation } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { type DeviceDialogProps, readDevicesAgain } from "./change";

/** Says by which name editors reach the device with ssh. */
export function SshDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, sshHost } = device;
  const update = useMutation(
    queries.device.update.mutationOptions({
      onSuccess: async () => {
        await readDevicesAgain();
        onClose();
      },
    }),
  );
  const wrong = fieldError(update.error, "sshHost");
  return (
    <Dialog title="Open its workspaces in an editor" open onOpenChange={onClose}>
      <Form
        onSubmit={(text) => update.mutate({ organizationId, id, sshHost: text("sshHost").trim() || null })}
      >
        <p>
          Editors on other machines reach this one with ssh. Every member sees the name; the keys stay with
          ssh.
        </p>
        <Field
          label="SSH host"
          hint="As in ssh laptop.example.com, or a name of everybody's ssh configuration. Empty for none."
          name="sshHost"
          defaultValue={sshHost ?? ""}
          placeholder="ada@laptop.example.com"
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={wrong}
        />
        {update.error && wrong === undefined && <Problem title="Nothing was changed." error={update.error} />}
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
