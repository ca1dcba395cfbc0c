import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Confirmation } from "../ui/formDialog";

export function DeleteOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId, name, slug } = useOrganization();
  const navigate = useNavigate();
  const remove = useMutation(
    queries.organization.delete.mutationOptions({
      onSuccess: async () => {
        await refetchOrganizations();
        await navigate({ to: "/" });
      },
    }),
  );
  return (
    <Confirmation
      title={`Delete ${name}?`}
      action="Delete"
      textToType={slug}
      change={remove}
      failed="Could not delete the organization."
      onSubmit={() => remove.mutate({ organizationId, confirmSlug: slug })}
      onClose={onClose}
    >
      <p>
        This permanently deletes everything in it for all members: projects, workspaces, tasks, chats,
        devices, keys and history. Directories on machines are kept. This cannot be undone.
      </p>
    </Confirmation>
  );
}
