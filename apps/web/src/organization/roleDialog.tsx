import type { Member } from "@grove/schemas";
import { useRouter } from "@tanstack/react-router";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Confirmation } from "../ui/formDialog";
import { RadioGroup } from "../ui/radioGroup";
import { roleOf, roleOptions } from "./roleChoice";

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id: organizationId, role } = useOrganization();
  const user = useUser();
  const router = useRouter();
  const update = useMutationWithRefetch(queries.organization.updateMemberRole.mutationOptions(), {
    refetch: [queries.organization.listMembers.pathFilter()],
    onDone: async (_, { userId }) => {
      if (userId === user.id) {
        await refetchOrganizations();
        await router.invalidate();
      }
      onClose();
    },
  });
  return (
    <Confirmation
      title={`Change the role of ${member.name}`}
      action="Change role"
      look="primary"
      change={update}
      failed="Could not change the role."
      onSubmit={(text) =>
        update.mutate({ organizationId, userId: member.userId, role: roleOf(text("role")) })
      }
      onClose={onClose}
    >
      <RadioGroup legend="Role" name="role" defaultValue={member.role} options={roleOptions(role)} />
      <p className="text-muted">Demoting someone to member revokes their pending invitations.</p>
    </Confirmation>
  );
}
