import type { Member } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Confirmation } from "../ui/formDialog";
import { VisibleName } from "../ui/visibleName";

interface RemoveDialogProps {
  member: Member;
  onClose: () => void;
}

export function RemoveDialog({ member: { userId, name }, onClose }: RemoveDialogProps) {
  const { id: organizationId } = useOrganization();
  const remove = useMutationWithRefetch(queries.organization.removeMember.mutationOptions(), {
    refetch: [queries.organization.listMembers.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={`Remove ${name}?`}
      action="Remove"
      change={remove}
      failed="Could not remove the member."
      onSubmit={() => remove.mutate({ organizationId, userId })}
      onClose={onClose}
    >
      <p>
        The API keys and the devices that <VisibleName className="font-medium">{name}</VisibleName> has here
        are revoked immediately. Their tasks become unassigned. Their account itself is kept.
      </p>
    </Confirmation>
  );
}

/** Ends the current user's own membership. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId, name } = useOrganization();
  const navigate = useNavigate();
  const leave = useMutation(
    queries.organization.leave.mutationOptions({
      onSuccess: async () => {
        await refetchOrganizations();
        await navigate({ to: "/" });
      },
    }),
  );
  return (
    <Confirmation
      title={`Leave ${name}?`}
      action="Leave"
      change={leave}
      failed="Could not leave the organization."
      onSubmit={() => leave.mutate({ organizationId })}
      onClose={onClose}
    >
      <p>
        Your API keys and devices here are revoked immediately, and your tasks become unassigned. You can only
        return by invitation.
      </p>
    </Confirmation>
  );
}
