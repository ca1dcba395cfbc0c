import type { Member } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { refetchOrganizations } from "../lib/organizations";
import { Choices } from "../ui/choices";
import { Confirmation } from "../ui/confirmation";
import { roleOf, roleOptions } from "./roleChoice";

/** Changes a member's role. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id: organizationId, role } = useOrganization();
  const user = useUser();
  const router = useRouter();
  const update = useMutation(
    queries.organization.updateMemberRole.mutationOptions({
      onSuccess: async (_, { userId }) => {
        await queryClient.invalidateQueries(queries.organization.listMembers.pathFilter());
        if (userId === user.id) {
          await refetchOrganizations();
          await router.invalidate();
        }
        onClose();
      },
    }),
  );
  return (
    <Confirmation
      title={`The role of ${member.name}`}
      action="Change the role"
      look="primary"
      change={update}
      failed="Could not change the role."
      onConfirm={(text) =>
        update.mutate({ organizationId, userId: member.userId, role: roleOf(text("role")) })
      }
      onClose={onClose}
    >
      <Choices legend="Role" name="role" defaultValue={member.role} options={roleOptions(role)} />
      <p className="text-muted">Demoting someone to member revokes their pending invitations.</p>
    </Confirmation>
  );
}
