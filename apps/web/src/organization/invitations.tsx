import { INVITATION_DAYS, type Invitation } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { roleLabels } from "../lib/roleLabels";
import { Button } from "../ui/button";
import { Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { InviteDialog } from "./inviteDialog";
import { RevokeInvitationDialog } from "./revokeInvitationDialog";

/** The pending and expired invitations, for admins. */
export function Invitations({ isLocal }: { isLocal: boolean }) {
  const { id: organizationId } = useOrganization();
  const list = useQuery(queries.organization.listInvitations.queryOptions({ organizationId }));
  const [renewed, setRenewed] = useState<Invitation>();
  const [revoked, setRevoked] = useState<Invitation>();
  const open = list.data?.filter(({ status }) => status === "pending" || status === "expired");
  return (
    <Section title="Invitations">
      {list.error && <Problem title="Could not load the invitations." error={list.error} />}
      {open?.length === 0 && (
        <p className="text-muted">
          {isLocal
            ? "Invitations are not available in local mode. A team needs Grove on a server."
            : `No pending invitations. An invitation works once, within ${INVITATION_DAYS} days.`}
        </p>
      )}
      {open && open.length > 0 && (
        <Table label="Invitations" columns={["Email", "Role", "Expires", "Actions"]}>
          {open.map((invitation) => (
            <Row key={invitation.id}>
              <Cell wrap>
                <VisibleName className="wrap-anywhere">{invitation.email}</VisibleName>
              </Cell>
              <Cell quiet>{roleLabels[invitation.role].title}</Cell>
              <Cell quiet>
                {invitation.status === "expired" && "Expired "}
                <Time at={invitation.expiresAt} allowFuture />
              </Cell>
              <Cell actions>
                <Button look="quiet" onClick={() => setRenewed(invitation)}>
                  Renew<span className="sr-only"> the invitation for {invitation.email}</span>
                </Button>
                <Button look="quiet" onClick={() => setRevoked(invitation)}>
                  Revoke<span className="sr-only"> the invitation for {invitation.email}</span>
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {renewed && <InviteDialog earlier={renewed} onClose={() => setRenewed(undefined)} />}
      {revoked && <RevokeInvitationDialog invitation={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  );
}
