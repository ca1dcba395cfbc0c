import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { readOrganizationsAgain } from "../lib/organizations";
import { Confirmation } from "../ui/confirmation";

/** Deletes the organization, after its short name was typed. */
export function DeleteOrganization({ onClose }: { onClose: () => void }) {
  const { id: organizationId, name, slug } = useOrganization();
  const navigate = useNavigate();
  const remove = useMutation(
    queries.organization.delete.mutationOptions({
      onSuccess: async () => {
        await readOrganizationsAgain();
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
      failed="Nothing was deleted."
      onConfirm={() => remove.mutate({ organizationId, confirmSlug: slug })}
      onClose={onClose}
    >
      <p>
        Everything in it is gone for all its members: projects, workspaces, tasks, chats, devices, keys and
        its history. Directories on machines stay where they are. This cannot be taken back.
      </p>
    </Confirmation>
  );
}
