import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Field } from "../../ui/field";
import { FormDialog } from "../../ui/formDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

/** Sets the SSH host name by which editors reach the device. */
export function SshDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, sshHost } = device;
  const update = useMutationWithRefetch(queries.device.update.mutationOptions(), {
    refetch: [queries.device.pathFilter()],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Open the device's workspaces in an editor"
      action="Save"
      change={update}
      failed="Could not save the SSH host."
      fields={["sshHost"]}
      onSubmit={(text) => update.mutate({ organizationId, id, sshHost: text("sshHost").trim() || null })}
      onClose={onClose}
    >
      <p>
        Editors on other machines connect to this one over SSH. Every member sees the host name. Grove does
        not handle the SSH keys.
      </p>
      <Field
        label="SSH host"
        hint="The host to pass to ssh, or an alias that every member has in their SSH configuration. Leave empty to remove it."
        name="sshHost"
        defaultValue={sshHost ?? ""}
        placeholder="ada@laptop.example.com"
        maxLength={255}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
