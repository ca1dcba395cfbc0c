import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Field } from "../../ui/field";
import { FormDialog } from "../../ui/formDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

export function RenameDeviceDialog({ device, onClose }: DeviceDialogProps) {
  const update = useMutationWithRefetch(queries.device.update.mutationOptions(), {
    refetch: [queries.device.pathFilter()],
    onDone: onClose,
  });
  const { id, organizationId } = device;
  return (
    <FormDialog
      title="Rename device"
      action="Rename"
      change={update}
      failed="Could not rename the device."
      fields={["name"]}
      onSubmit={(text) => update.mutate({ organizationId, id, name: text("name") })}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={device.name}
        maxLength={200}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
