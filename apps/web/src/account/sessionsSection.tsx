import type { UserSession } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client, queries, queryClient, signOut } from "../lib/api";
import { Button } from "../ui/button";
import { NO_VALUE } from "../ui/noValue";
import { Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { userAgentLabel } from "./userAgentLabel";

/** The user's sessions, each with a sign-out button. */
export function SessionsSection() {
  const list = useQuery(queries.user.listSessions.queryOptions());
  const navigate = useNavigate();
  const revoke = useMutation({
    mutationFn: (sessions: UserSession[]) =>
      Promise.all(sessions.map(({ id }) => client.user.revokeSession.mutate({ id }))),
    onSettled: () => queryClient.invalidateQueries(queries.user.listSessions.pathFilter()),
  });
  const signOutMutation = useMutation({ mutationFn: () => signOut(() => navigate({ to: "/sign-in" })) });
  const others = list.data?.filter(({ current }) => !current) ?? [];
  const error = revoke.error ?? signOutMutation.error;
  return (
    <Section
      title="Active sessions"
      actions={
        others.length > 1 && (
          <Button busy={revoke.isPending} onClick={() => revoke.mutate(others)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {list.error && <Problem title="Could not load your sessions." error={list.error} />}
      {error && <Problem title="Could not sign out of the session." error={error} />}
      {list.data && (
        <Table
          label="Sessions"
          columns={["Browser or app", "IP address", "Signed in", "Last used", "Actions"]}
        >
          {list.data.map((session) => (
            <Row key={session.id}>
              <Cell wrap>
                <VisibleName title={session.userAgent ?? undefined}>
                  {userAgentLabel(session.userAgent)}
                </VisibleName>
                {session.current && <span className="text-muted"> (current session)</span>}
              </Cell>
              <Cell quiet>{session.ip ?? NO_VALUE}</Cell>
              <Cell quiet>
                <Time at={session.createdAt} />
              </Cell>
              <Cell quiet>
                <Time at={session.lastUsedAt} />
              </Cell>
              <Cell actions>
                {session.current ? (
                  <Button
                    look="quiet"
                    busy={signOutMutation.isPending}
                    onClick={() => signOutMutation.mutate()}
                  >
                    Sign out
                  </Button>
                ) : (
                  <Button look="quiet" busy={revoke.isPending} onClick={() => revoke.mutate([session])}>
                    Sign out<span className="sr-only"> {userAgentLabel(session.userAgent)}</span>
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
