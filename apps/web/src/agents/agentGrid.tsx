import type { AgentSession } from "@grove/schemas";
import { Grid2x2 } from "lucide-react";
import { Suspense } from "react";
import { SessionLink } from "../components/sessionLink";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { lazily } from "../lib/browser/lazily";
import { EmptyState } from "../ui/emptyState";
import { VisibleName } from "../ui/visibleName";
import { sortSessions } from "./sortSessions";

// In the terminal's chunk: each further chunk makes the entry larger.
const LiveScreen = lazily(async () => (await import("../terminal/terminal")).LiveScreen);

/** The most live screens: each renders all of its session's output. The other tiles show the last line. */
const MAX_LIVE = 6;

/**
 * The running agents as tiles, for people who watch several. Tiles keep their places when states change; the agents
 * that need a person are live first.
 */
export function AgentGrid({ sessions }: { sessions: readonly AgentSession[] }) {
  const running = sessions.filter(({ status }) => status === "running");
  const live = new Set(sortSessions(running).slice(0, MAX_LIVE));
  if (running.length === 0)
    return (
      <EmptyState icon={Grid2x2} title="No agents are running">
        The grid shows the screens of the running agents that match the filter.
      </EmptyState>
    );
  return (
    <ul aria-label="Screens" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,28rem),1fr))] gap-3">
      {running
        .toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
        .map((session) => (
          <AgentTile key={session.id} session={session} isLive={live.has(session)} />
        ))}
    </ul>
  );
}

function AgentTile({ session, isLive }: { session: AgentSession; isLive: boolean }) {
  const { id: organizationId } = useOrganization();
  return (
    <li className="relative flex flex-col overflow-hidden rounded-lg border border-line hover:border-accent">
      <div className="flex items-center gap-3 border-line border-b px-3 py-2 [&_a]:after:absolute [&_a]:after:inset-0">
        <SessionLink session={session} />
        <span className="ml-auto shrink-0">
          <SessionState session={session} />
        </span>
      </div>
      <div className="h-72 bg-terminal p-2">
        {isLive ? (
          <Suspense>
            <LiveScreen organizationId={organizationId} id={session.id} />
          </Suspense>
        ) : (
          <VisibleName className="wrap-anywhere font-mono text-muted text-xs">
            {session.lastLine ?? "Nothing printed yet"}
          </VisibleName>
        )}
      </div>
    </li>
  );
}
