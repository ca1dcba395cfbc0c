import type { InvitationSeen } from "@grove/schemas";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { authQuery, queries, signOut } from "../lib/api";
import { roleLabels } from "../lib/roleLabels";
import { Button, buttonClass } from "../ui/button";
import { DescriptionList } from "../ui/descriptionList";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { invitationPath, invitationQuery, invitationToken } from "./invitation";
import { JoinButton } from "./joinButton";

/** Shows an invitation to the holder of its link, who can accept it here. */
export function AcceptInvitationPage() {
  const [token] = useState(invitationToken);
  const invitation = useQuery(invitationQuery(token));
  if (token === undefined)
    return (
      <StandalonePage title="The link is incomplete">
        <p>Open the full invitation link, or ask the person who invited you for a new one.</p>
      </StandalonePage>
    );
  if (invitation.error)
    return (
      <StandalonePage title="Could not load the invitation">
        <Problem title="The link is not valid." error={invitation.error} />
      </StandalonePage>
    );
  if (!invitation.data) return <StandalonePage title="Invitation">{null}</StandalonePage>;
  if (invitation.data.status === "accepted") return <Accepted invitation={invitation.data} />;
  if (invitation.data.status !== "pending") return <Ended invitation={invitation.data} />;
  return <Pending invitation={invitation.data} token={token} />;
}

const inviterOf = ({ inviterName }: InvitationSeen) => inviterName || "A member who has left";

/** Redirects members to the organization. */
function Accepted({ invitation: { organizationName, organizationSlug } }: { invitation: InvitationSeen }) {
  const { session } = useSuspenseQuery(authQuery).data;
  const organizations = useQuery({ ...queries.organization.list.queryOptions(), enabled: session !== null });
  if (session && organizations.isPending) return <StandalonePage title="Invitation">{null}</StandalonePage>;
  if (organizations.data?.some(({ slug }) => slug === organizationSlug))
    return <Navigate to="/o/$organization" params={{ organization: organizationSlug }} replace />;
  return (
    <StandalonePage title="This invitation was already accepted">
      <p>
        Each invitation to <VisibleName className="font-medium">{organizationName}</VisibleName> works only
        once.{" "}
        {session
          ? "You are not a member of this organization. To join, ask for a new invitation."
          : "If you accepted it, sign in."}
      </p>
      {!session && <SignInLink />}
    </StandalonePage>
  );
}

/** Shows an expired or revoked invitation. */
const Ended = ({ invitation }: { invitation: InvitationSeen }) => (
  <StandalonePage
    title={invitation.status === "expired" ? "This invitation has expired" : "This invitation was revoked"}
  >
    <p>
      <VisibleName>{inviterOf(invitation)}</VisibleName> invited <VisibleName>{invitation.email}</VisibleName>{" "}
      to <VisibleName className="font-medium">{invitation.organizationName}</VisibleName>. Ask for a new
      invitation.
    </p>
    <Link to="/" className={`mt-5 self-start ${buttonClass()}`}>
      Open Grove
    </Link>
  </StandalonePage>
);

interface PendingProps {
  invitation: InvitationSeen;
  token: string;
}

function Pending({ invitation, token }: PendingProps) {
  const { session } = useSuspenseQuery(authQuery).data;
  const { organizationName, email, role, expiresAt } = invitation;
  return (
    <StandalonePage title={`Join ${organizationName}`}>
      <p className="mb-4">
        <VisibleName className="font-medium">{inviterOf(invitation)}</VisibleName> invites you to{" "}
        <VisibleName className="font-medium">{organizationName}</VisibleName>, an organization on this Grove
        server.
      </p>
      <DescriptionList
        facts={[
          ["Email", <VisibleName key="email">{email}</VisibleName>],
          ["Role", `${roleLabels[role].title}. ${roleLabels[role].hint}`],
          ["Expires", <Time key="expires" at={expiresAt} allowFuture />],
        ]}
      />
      <div className="mt-6 flex flex-col gap-4">
        {!session && <SignedOut />}
        {session && session.user.email !== email && <OtherAccount email={session.user.email} />}
        {session?.user.email === email && <JoinButton token={token} />}
      </div>
    </StandalonePage>
  );
}

const SignInLink = ({ look }: { look?: "primary" }) => (
  <Link to="/sign-in" search={{ to: invitationPath }} className={`self-start ${buttonClass(look)}`}>
    Sign in
  </Link>
);

/** The actions for a visitor who is not signed in. */
function SignedOut() {
  const { signUp } = useSuspenseQuery(authQuery).data;
  if (signUp === "closed" || signUp === "first")
    return (
      <>
        <SignInLink look="primary" />
        <p className="text-muted">
          Sign-up is closed. If you have no account, ask the person who invited you.
        </p>
      </>
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Link to="/sign-up" search={{ to: invitationPath }} className={buttonClass("primary")}>
        Create an account
      </Link>
      <SignInLink />
    </div>
  );
}

/** The actions for a user who is signed in with another address. */
function OtherAccount({ email }: { email: string }) {
  const navigate = useNavigate();
  const switchAccount = useMutation({
    mutationFn: () => signOut(() => navigate({ to: "/sign-in", search: { to: invitationPath } })),
  });
  return (
    <>
      <p>
        You are signed in as <VisibleName className="font-medium">{email}</VisibleName>. Only the invited
        address can accept the invitation.
      </p>
      {switchAccount.error && <Problem title="Could not sign you out." error={switchAccount.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={switchAccount.isPending} onClick={() => switchAccount.mutate()}>
          Switch account
        </Button>
        <Link to="/" className={buttonClass("quiet")}>
          Keep this account
        </Link>
      </div>
    </>
  );
}
