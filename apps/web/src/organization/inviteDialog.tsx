import type { Invitation } from "@grove/schemas";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { authQuery, queries, queryClient } from "../lib/api";
import { roles } from "../lib/roles";
import { Button } from "../ui/button";
import { Choices } from "../ui/choices";
import { CopyLine } from "../ui/copy";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
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
  const invite = useMutation(
    queries.organization.invite.mutationOptions({
      gcTime: 0,
      onSuccess: () => queryClient.invalidateQueries(queries.organization.listInvitations.pathFilter()),
    }),
  );
  if (invite.data)
    return <Invited {...invite.data} onMore={earlier ? undefined : invite.reset} onClose={onClose} />;
  const wrong = fieldError(invite.error, "email");
  return (
    <Dialog title={earlier ? "Renew the invitation" : "Invite a member"} open onOpenChange={onClose} keepOpen>
      <Form
        onSubmit={(text) => {
          const role = text("role") === "admin" ? "admin" : "member";
          invite.mutate({ organizationId, email: text("email"), role });
        }}
      >
        {earlier && <p>A new link replaces the previous one, and works for seven days.</p>}
        <Field
          label="Email"
          name="email"
          type="email"
          defaultValue={earlier?.email}
          readOnly={earlier !== undefined}
          autoComplete="off"
          required
          error={wrong}
        />
        <Choices
          legend="Role"
          name="role"
          defaultValue={earlier?.role ?? "member"}
          options={invitedRoleOptions}
        />
        {invite.error && wrong === undefined && (
          <Problem title="Could not send the invitation." error={invite.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            {earlier ? "Renew" : "Invite"}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
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
        {roles[role].title.toLowerCase()}.{" "}
        {mail
          ? "A mail with the link is on its way. It works once, within seven days."
          : "This Grove sends no mail. Send the person this link. It is shown only now, and works once, within seven days."}
      </p>
      {!mail && (
        <CopyLine
          text={`${location.origin}/accept-invitation#token=${token}`}
          label="Copy the link of the invitation"
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
