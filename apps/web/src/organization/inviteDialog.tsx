import { INVITATION_DAYS, type Invitation } from "@grove/schemas";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { authQuery, queries } from "../lib/api";
import { roleLabels } from "../lib/roleLabels";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copyButton";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";
import { RadioGroup } from "../ui/radioGroup";
import { VisibleName } from "../ui/visibleName";
import { invitedRoleOptions } from "./roleChoice";

interface InviteDialogProps {
  /** The invitation to renew. */
  earlier?: Invitation;
  onClose: () => void;
}

/** Invites an email address. If Grove sends no mail, the link is shown only here, once. */
export function InviteDialog({ earlier, onClose }: InviteDialogProps) {
  const { id: organizationId } = useOrganization();
  const invite = useMutationWithRefetch(queries.organization.invite.mutationOptions({ gcTime: 0 }), {
    refetch: [queries.organization.listInvitations.pathFilter()],
  });
  if (invite.data)
    return <Invited {...invite.data} onMore={earlier ? undefined : invite.reset} onClose={onClose} />;
  return (
    <FormDialog
      title={earlier ? "Renew invitation" : "Invite a member"}
      action={earlier ? "Renew" : "Invite"}
      change={invite}
      failed="Could not send the invitation."
      fields={["email"]}
      keepOpen
      onSubmit={(text) => {
        const role = text("role") === "admin" ? "admin" : "member";
        invite.mutate({ organizationId, email: text("email"), role });
      }}
      onClose={onClose}
    >
      {earlier && <p>A new link replaces the previous one, and works for {INVITATION_DAYS} days.</p>}
      <Field
        label="Email"
        name="email"
        type="email"
        defaultValue={earlier?.email}
        readOnly={earlier !== undefined}
        autoComplete="off"
        required
      />
      <RadioGroup
        legend="Role"
        name="role"
        defaultValue={earlier?.role ?? "member"}
        options={invitedRoleOptions}
      />
    </FormDialog>
  );
}

interface InvitedProps {
  email: string;
  role: Invitation["role"];
  token: string;
  onMore: (() => void) | undefined;
  onClose: () => void;
}

function Invited({ email, role, token, onMore, onClose }: InvitedProps) {
  const { mail } = useSuspenseQuery(authQuery).data;
  return (
    <Dialog title="Invited" open onOpenChange={onClose} keepOpen>
      <p>
        <VisibleName className="font-medium">{email}</VisibleName> is invited as{" "}
        {roleLabels[role].title.toLowerCase()}.{" "}
        {mail
          ? `We emailed the link. It works once, within ${INVITATION_DAYS} days.`
          : `This Grove server sends no email. Send this link to the person yourself. It is shown only once, can be used once, and expires after ${INVITATION_DAYS} days.`}
      </p>
      {!mail && (
        <CopyLine
          text={`${location.origin}/accept-invitation#token=${token}`}
          label="Copy the invitation link"
        />
      )}
      <DialogButtons>
        {onMore && <Button onClick={onMore}>Invite another</Button>}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
