import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { authQuery } from "../lib/api";
import { membersQuery } from "../lib/queries/membersQuery";
import { roleLabels } from "../lib/roleLabels";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { Invitations } from "./invitations";
import { InviteDialog } from "./inviteDialog";
import { MemberActions } from "./memberActions";
import { whyNotAdmin } from "./permissions";
import { rankOf } from "./roleChoice";

const alone = "In local mode, only the owner of this machine uses Grove. A team needs a server.";

const PAGE_SIZE = 200;

export function MembersPage() {
  const organization = useOrganization();
  const { id: organizationId } = organization;
  const user = useUser();
  const { local } = useSuspenseQuery(authQuery).data;
  const list = useQuery(membersQuery(organizationId));
  const [shown, setShown] = useState(PAGE_SIZE);
  const [isInviting, setInviting] = useState(false);
  const members = list.data?.toSorted(
    (a, b) => rankOf(a.role) - rankOf(b.role) || a.name.localeCompare(b.name),
  );
  const reason = local ? alone : whyNotAdmin(organization);
  const invite = () => setInviting(true);
  useShortcuts({
    title: "Members",
    scope: "page",
    shortcuts: reason === undefined ? [{ keys: "n", title: "Invite a member", run: invite }] : [],
  });
  return (
    <Page
      title="Members"
      lead={members && <p className="text-muted">{members.length}</p>}
      actions={
        <Button look="primary" reason={reason} onClick={invite}>
          <UserPlus aria-hidden="true" className="size-4" />
          Invite
        </Button>
      }
    >
      {list.error && (
        <Problem title="Could not load the members." error={list.error} onRetry={() => void list.refetch()} />
      )}
      {members && (
        <Table label="Members" columns={["Name", "Role", "Joined", "Actions"]}>
          {members.slice(0, shown).map((member) => (
            <Row key={member.userId}>
              <Cell wrap>
                <VisibleName className="font-medium">{member.name}</VisibleName>
                {member.userId === user.id && <span className="text-muted"> (you)</span>}
                <VisibleName className="wrap-anywhere block text-muted text-sm">{member.email}</VisibleName>
              </Cell>
              <Cell>{roleLabels[member.role].title}</Cell>
              <Cell quiet>
                <Time at={member.joinedAt} />
              </Cell>
              <Cell actions>
                <MemberActions member={member} members={members} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {members && members.length > shown && (
        <div className="pt-3">
          <Button onClick={() => setShown(shown + PAGE_SIZE)}>Show more</Button>
        </div>
      )}
      {whyNotAdmin(organization) === undefined ? (
        <Invitations isLocal={local} />
      ) : (
        <p className="mt-6 text-muted">Admins and owners can invite people, and see the invitations.</p>
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
