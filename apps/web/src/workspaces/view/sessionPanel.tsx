import type { AgentSession } from "@grove/schemas";
import { Suspense } from "react";
import { AgentBadge } from "../../components/agentBadge";
import { RenameSession } from "../../components/renameSession";
import { SessionState } from "../../components/sessionState";
import { SessionTask } from "../../components/sessionTask";
import { StartAgain } from "../../components/startAgain";
import { StopSession } from "../../components/stopSession";
import { TerminalPlaceholder } from "../../components/terminalPlaceholder";
import { useAfterPaint } from "../../hooks/useAfterPaint";
import { useMarkSessionSeen } from "../../hooks/useMarkSessionSeen";
import { useOrganization } from "../../hooks/useOrganization";
import { lazily } from "../../lib/browser/lazily";
import { Time } from "../../ui/time";

const Terminal = lazily(async () => (await import("../../terminal/terminal")).Terminal);

interface SessionPanelProps {
  session: AgentSession;
  /** Whether the terminal takes the focus when it appears. */
  autoFocus: boolean;
}

/** A session's state, agent and task, and its live terminal. */
export function SessionPanel({ session, autoFocus }: SessionPanelProps) {
  const { id: organizationId } = useOrganization();
  const isPainted = useAfterPaint();
  useMarkSessionSeen(session);
  const { status, workspaceId, error } = session;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1">
        <SessionState session={session} />
        <AgentBadge session={session} />
        <span className="text-muted">
          {session.endedAt ? "ended" : "since"} <Time at={session.endedAt ?? session.startedAt} />
        </span>
        <SessionTask session={session} />
        <RenameSession session={session} />
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {status === "running" ? (
            <StopSession id={session.id} />
          ) : (
            workspaceId && <StartAgain session={session} workspace={workspaceId} />
          )}
        </div>
        {error && <p className="w-full text-danger">{error.message}</p>}
      </div>
      <Suspense fallback={<TerminalPlaceholder />}>
        {isPainted ? (
          <Terminal organizationId={organizationId} session={session} shouldTakeFocus={() => autoFocus} />
        ) : (
          <TerminalPlaceholder />
        )}
      </Suspense>
    </div>
  );
}
