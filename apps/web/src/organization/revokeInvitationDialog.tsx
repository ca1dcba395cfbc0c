import type { Invitation } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Confirmation } from "../ui/formDialog";
import { VisibleName } from "../ui/visibleName";

interface RevokeInvitationDialogProps {
  invitation: Invitation;
  onClose: () => void;
}

export function RevokeInvitationDialog({ invitation: { id, email }, onClose }: RevokeInvitationDialogProps) {
  const { id: organizationId } = useOrganization();
  const revoke = useMutationWithRefetch(queries.organization.revokeInvitation.mutationOptions(), {
    refetch: [queries.organization.listInvitations.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title="Revoke the invitation?"
      action="Revoke"
      change={revoke}
      failed="Could not revoke the invitation."
      onSubmit={() => revoke.mutate({ organizationId, id })}
      onClose={onClose}
    >
      <p>
        The link for <VisibleName className="font-medium">{email}</VisibleName> stops working immediately. You
        can invite the address again.
      </p>
    </Confirmation>
  );
}
