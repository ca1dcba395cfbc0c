import type { Invitation } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Confirmation } from "../ui/confirmation";
import { VisibleName } from "../ui/visibleName";

interface RevokeInvitationProps {
  invitation: Invitation;
  onClose: () => void;
}

/** Ends an invitation that nobody has accepted. */
export function RevokeInvitation({ invitation: { id, email }, onClose }: RevokeInvitationProps) {
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
      failed="The invitation is still open."
      onConfirm={() => revoke.mutate({ organizationId, id })}
      onClose={onClose}
    >
      <p>
        The link for <VisibleName className="font-medium">{email}</VisibleName> ends at once. You can invite
        the address again.
      </p>
    </Confirmation>
  );
}
