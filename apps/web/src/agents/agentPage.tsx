import type { AgentSession } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { DeviceName } from "../components/deviceName";
import { SessionState } from "../components/sessionState";
import { useAfterPaint } from "../hooks/useAfterPaint";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button } from "../ui/button";
import { useTitle } from "../ui/page";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { useReleaseFocus } from "../ui/useReleaseFocus";
import { VisibleName } from "../ui/visibleName";
import { StartAgain } from "./startAgain";

const Terminal = lazily(async () => (await import("../terminal/terminal")).Terminal);
const route = getRouteApi("/signed-in/o/$organization/agents/$sessionId");

/** One agent: its state, and its live terminal. */
export function AgentPage() {
  const { id: organizationId } = useOrganization();
  const { sessionId } = route.useParams();
  const session = useQuery(queries.agent.getSession.queryOptions({ organizationId, id: sessionId }));
  const isPainted = useAfterPaint();
  useTitle(session.data ? `${session.data.agent}: terminal` : "Agent");
  useShortcuts({ title: "Terminal", scope: "page", shortcuts: terminalKeys });
  const onEnd = (ended: AgentSession) => {
    queryClient.setQueryData(queries.agent.getSession.queryKey({ organizationId, id: sessionId }), ended);
    void queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
  };
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-96 flex-col gap-2 px-4 pb-4 sm:px-6 md:h-dvh">
      {session.error && !session.data && (
        <Problem
          title="Could not load the agent."
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      )}
      {session.data && (
        <>
          <Header session={session.data} />
          <Suspense fallback={<TerminalFrame />}>
            {isPainted ? (
              <Terminal
                key={sessionId}
                organizationId={organizationId}
                session={session.data}
                onEnd={onEnd}
              />
            ) : (
              <TerminalFrame />
            )}
          </Suspense>
        </>
      )}
    </div>
  );
}

const TerminalFrame = () => (
  <div className="flex-1 rounded-lg border border-line bg-terminal">
    <HoldKeys />
  </div>
);

/** The terminal handles these keys. They are only listed here. */
const terminalKeys = [
  { keys: "i", title: "Type" },
  { keys: "F6", title: "Only watch" },
];

function Header({ session }: { session: AgentSession }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const workspace = workspaces.data?.find(({ id }) => id === session.workspaceId);
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 pt-3">
      <h1 className="font-semibold text-lg">
        <VisibleName>{session.agent}</VisibleName>
      </h1>
      <SessionState session={session} />
      <span className="flex flex-wrap gap-x-1.5 text-muted">
        {workspace && (
          <>
            in
            <Link
              to="/o/$organization/workspaces/$workspaceId"
              params={{ organization, workspaceId: workspace.id }}
              className="text-ink hover:underline"
            >
              <VisibleName>{workspace.name}</VisibleName>
            </Link>
          </>
        )}
        {devices.data && (
          <>
            on <DeviceName device={devices.data.find(({ id }) => id === session.deviceId)} />
          </>
        )}
        <span aria-hidden="true">·</span>
        {session.endedAt ? "ended" : "since"} <Time at={session.endedAt ?? session.startedAt} />
      </span>
      <div className="ml-auto flex items-center gap-2">
        {session.status === "running" ? (
          <Stop id={session.id} />
        ) : (
          session.workspaceId && <StartAgain session={session} workspace={session.workspaceId} />
        )}
      </div>
      {session.error && <p className="w-full text-danger">{session.error.message}</p>}
    </header>
  );
}

/** Stops the agent after a confirmation. */
function Stop({ id }: { id: string }) {
  // Counts presses and cancellations: an odd number means that the confirmation is shown.
  const [presses, setPresses] = useState(0);
  const toggle = () => setPresses(presses + 1);
  if (presses % 2 === 1) return <ConfirmStop id={id} onCancel={toggle} />;
  return (
    <Button autoFocus={presses > 0} onClick={toggle}>
      Stop
    </Button>
  );
}

function ConfirmStop({ id, onCancel }: { id: string; onCancel: () => void }) {
  const { id: organizationId } = useOrganization();
  const button = useReleaseFocus();
  const stop = useMutation(
    queries.agent.stopSession.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(queries.agent.pathFilter()),
    }),
  );
  return (
    <>
      <Button
        ref={button}
        look="danger"
        busy={stop.isPending}
        autoFocus
        onClick={() => stop.mutate({ organizationId, id })}
      >
        {stop.isPending ? "Stopping …" : "Stop the agent"}
      </Button>
      <Button look="quiet" onClick={onCancel}>
        Keep running
      </Button>
      {stop.error && <Problem title="Could not stop the agent." error={stop.error} />}
    </>
  );
}
