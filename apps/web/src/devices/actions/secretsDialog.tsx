import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

/** Allows project secrets in all of a device's agent sessions, or limits them again. */
export function SecretsDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, secretsAllowed } = device;
  const set = useMutationWithRefetch(queries.device.setSecretsAllowed.mutationOptions(), {
    refetch: [queries.device.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={secretsAllowed ? "Limit project secrets?" : "Allow all project secrets?"}
      action={secretsAllowed ? "Limit" : "Allow"}
      look="primary"
      change={set}
      failed="Could not change the access to secrets."
      onSubmit={() => set.mutate({ organizationId, id, allowed: !secretsAllowed })}
      onClose={onClose}
    >
      <p>
        {secretsAllowed
          ? "Agent sessions that a member's API key starts on this device no longer get project secrets."
          : "Every agent session on this device then gets the project's secrets, even one that a member's API key starts. Allow this only on a machine that you trust."}
      </p>
    </Confirmation>
  );
}
