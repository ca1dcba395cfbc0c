import type { AgentRequest, AgentSession, Device } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { DeviceName } from "../../components/deviceName";
import { useOrganization } from "../../hooks/useOrganization";
import { sessionName } from "../../lib/agentSessions/sessionName";
import { buttonClass } from "../../ui/button";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { verbOf } from "./requestTexts";

interface RequestHeaderProps {
  request: AgentRequest;
  session: AgentSession | undefined;
  /** The workspace's name; undefined if it was deleted. */
  workspace: string | undefined;
  device: Device | undefined;
  /** The heading's id. */
  titleId: string;
}

export function RequestHeader({ request, session, workspace, device, titleId }: RequestHeaderProps) {
  const { slug: organization } = useOrganization();
  const name = session ? sessionName(session) : "An agent";
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <MessageCircleQuestion aria-hidden="true" className="size-4 shrink-0 text-warn" strokeWidth={2.25} />
      <h3 id={titleId} className="wrap-anywhere min-w-0">
        <VisibleName className="font-semibold">{name}</VisibleName> {verbOf(request)}
        {workspace !== undefined && (
          <>
            {" in "}
            <VisibleName className="font-semibold">{workspace}</VisibleName>
          </>
        )}
      </h3>
      {request.kind === "permission" && (
        <VisibleName className="max-w-60 truncate rounded border border-line px-1.5 text-muted text-xs">
          {request.tool}
        </VisibleName>
      )}
      <span className="text-muted text-sm">
        {device !== undefined && (
          <>
            on <DeviceName device={device} />,{" "}
          </>
        )}
        <Link
          to="/o/$organization/requests/$requestId"
          params={{ organization, requestId: request.id }}
          className="underline-offset-3 hover:underline"
        >
          asked <Time at={request.askedAt} />
        </Link>
      </span>
      <Link
        data-terminal-link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: request.sessionId }}
        className={`ml-auto ${buttonClass("quiet")}`}
      >
        Terminal<span className="sr-only"> of {name}</span>
      </Link>
    </header>
  );
}
