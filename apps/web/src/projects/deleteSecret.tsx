import { useMutation } from "@tanstack/react-query";
import { queries, queryClient } from "../lib/api";
import { Confirmation } from "../ui/confirmation";

interface DeleteSecretProps {
  organizationId: string;
  projectId: string;
  name: string;
  onClose: () => void;
}

export function DeleteSecret({ organizationId, projectId, name, onClose }: DeleteSecretProps) {
  const remove = useMutation(
    queries.project.deleteSecret.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(queries.project.listSecrets.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <Confirmation
      title={`Delete ${name}?`}
      action="Delete"
      change={remove}
      failed="Could not delete the secret."
      onConfirm={() => remove.mutate({ organizationId, projectId, key: name })}
      onClose={onClose}
    >
      <p>
        Agents started from now on do not get it. Running agents keep it. The value cannot be brought back.
      </p>
    </Confirmation>
  );
}
