import type { AgentSession, Device } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { useOrganization } from "../hooks/useOrganization";
import { buttonClass } from "../ui/button";
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
  const { id, agent, startedAt } = session;
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="flex min-w-0 items-center gap-2">
        <MessageCircleQuestion aria-hidden="true" className="size-4 shrink-0 text-warn" strokeWidth={2.25} />
        <h3 id={title} className="wrap-anywhere min-w-0">
          <VisibleName className="font-semibold">{agent}</VisibleName> {isWaiting ? "asks" : "no longer asks"}
          {workspace !== undefined && (
            <>
              {" in "}
              <VisibleName className="font-semibold">{workspace}</VisibleName>
            </>
          )}
        </h3>
      </span>
      <span className="text-muted text-sm">
        {device !== undefined && (
          <>
            on <DeviceName device={device} />,{" "}
          </>
        )}
        started <Time at={startedAt} />
      </span>
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: id }}
        className={`ml-auto ${buttonClass("quiet")}`}
      >
        Terminal<span className="sr-only"> of {agent}</span>
      </Link>
    </header>
  );
}
