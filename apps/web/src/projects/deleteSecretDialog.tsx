import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { queries } from "../lib/api";
import { Confirmation } from "../ui/formDialog";

interface DeleteSecretDialogProps {
  organizationId: string;
  projectId: string;
  name: string;
  onClose: () => void;
}

export function DeleteSecretDialog({ organizationId, projectId, name, onClose }: DeleteSecretDialogProps) {
  const remove = useMutationWithRefetch(queries.project.deleteSecret.mutationOptions(), {
    refetch: [queries.project.listSecrets.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={`Delete ${name}?`}
      action="Delete"
      change={remove}
      failed="Could not delete the secret."
      onSubmit={() => remove.mutate({ organizationId, projectId, key: name })}
      onClose={onClose}
    >
      <p>Agents started from now on do not get it. Running agents keep it. The value cannot be recovered.</p>
    </Confirmation>
  );
}
