import type { AgentSession, Device } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { AgentBadge } from "../components/agentBadge";
import { DeviceName } from "../components/deviceName";
import { useOrganization } from "../hooks/useOrganization";
import { dismissSession, isGuessedWait } from "../lib/agentSessions/dismissedSessions";
import { formatClock } from "../lib/agentSessions/sessionActivity";
import { sessionName } from "../lib/agentSessions/sessionName";
import { Button, buttonClass } from "../ui/button";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

interface WaitingAgentHeaderProps {
  session: AgentSession;
  workspace: string | undefined;
  device: Device | undefined;
  /** The heading's id. */
  title: string;
  isWaiting: boolean;
}

export function WaitingAgentHeader({
  session,
  workspace,
  device,
  title,
  isWaiting,
}: WaitingAgentHeaderProps) {
  const { slug: organization } = useOrganization();
  const { id, workspaceId, startedAt } = session;
  const name = sessionName(session);
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="flex min-w-0 items-center gap-2">
        <MessageCircleQuestion aria-hidden="true" className="size-4 shrink-0 text-warn" strokeWidth={2.25} />
        <h3 id={title} className="wrap-anywhere min-w-0">
          <VisibleName className="font-semibold">{name}</VisibleName>{" "}
          {isWaiting ? needOf(session) : "no longer needs input"}
          {workspace !== undefined && (
            <>
              {" in "}
              <VisibleName className="font-semibold">{workspace}</VisibleName>
            </>
          )}
        </h3>
        <AgentBadge session={session} />
      </span>
      <span className="text-muted text-sm">
        {device !== undefined && (
          <>
            on <DeviceName device={device} />,{" "}
          </>
        )}
        started <Time at={startedAt} />
      </span>
      <span className="ml-auto flex">
        {isWaiting && isGuessedWait(session) && (
          <Button look="quiet" onClick={() => dismissSession(id)}>
            Dismiss<span className="sr-only"> {name} until it continues</span>
          </Button>
        )}
        {workspace !== undefined && workspaceId !== null && (
          <Link
            to="/o/$organization/workspaces/$workspaceId"
            params={{ organization, workspaceId }}
            search={{ only: "changes" }}
            className={buttonClass("quiet")}
          >
            Changes<span className="sr-only"> of {name}</span>
          </Link>
        )}
        <Link
          to="/o/$organization/agents/$sessionId"
          params={{ organization, sessionId: id }}
          className={buttonClass("quiet")}
        >
          Terminal<span className="sr-only"> of {name}</span>
        </Link>
      </span>
    </header>
  );
}

/** Why an agent waits, after its name: "needs input". */
function needOf({ activity }: AgentSession): string {
  if (activity?.state === "failed") return "has failed";
  if (activity?.state !== "limited") return "needs input";
  const until = activity.limitedUntil === null ? "" : ` until ${formatClock(activity.limitedUntil)}`;
  return `has reached its usage limit${until}`;
}
