import type { Invitation } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Confirmation } from "../ui/confirmation";
import { VisibleName } from "../ui/visibleName";

interface RevokeInvitationDialogProps {
  invitation: Invitation;
  onClose: () => void;
}

/** Revokes a pending invitation. */
export function RevokeInvitationDialog({ invitation: { id, email }, onClose }: RevokeInvitationDialogProps) {
  const { id: organizationId } = useOrganization();
  const revoke = useMutation(
    queries.organization.revokeInvitation.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(queries.organization.listInvitations.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <Confirmation
      title="Revoke the invitation?"
      action="Revoke"
      change={revoke}
      failed="Could not revoke the invitation."
      onConfirm={() => revoke.mutate({ organizationId, id })}
      onClose={onClose}
    >
      <p>
        The link for <VisibleName className="font-medium">{email}</VisibleName> stops working immediately. You
        can invite the address again.
      </p>
    </Confirmation>
  );
}
