import type { AgentSession, CommandListed, Device, Task, Workspace } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { CircleX, X } from "lucide-react";
import { LastLine } from "../components/lastLine";
import { SessionLink } from "../components/sessionLink";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { sessionName } from "../lib/agentSessions/sessionName";
import { buttonClass, IconButton } from "../ui/button";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { describeTool, failureReason } from "./failedCommands";
import { ItemLine, ItemList, linkClass } from "./itemList";
import { useListFocus } from "./useListFocus";

interface FailuresProps {
  failures: readonly CommandListed[];
  devices: readonly Device[];
  onDismiss: (id: string) => void;
}

export function Failures({ failures, devices, onDismiss }: FailuresProps) {
  const { slug: organization } = useOrganization();
  const focus = useListFocus<HTMLUListElement>(
    failures.map(({ id }) => id),
    "button",
  );
  // Stays mounted without lines, so that the focus can leave the last one.
  if (failures.length === 0) return null;
  return (
    <ItemList title="Failed" {...focus}>
      {failures.map((command) => {
        const { id, tool, deviceId, finishedAt, createdAt } = command;
        const title = `Could not ${describeTool(tool)}`;
        return (
          <ItemLine key={id}>
            <CircleX aria-hidden="true" className="size-4 shrink-0 text-danger" />
            <span className="min-w-0 flex-1 basis-64">
              <Link
                {...(tool === "create_workspace"
                  ? {
                      to: "/o/$organization/workspaces/creating/$commandId",
                      params: { organization, commandId: id },
                    }
                  : {
                      to: "/o/$organization/devices/$deviceId",
                      params: { organization, deviceId },
                      search: { tab: "commands", command: id },
                    })}
                className={linkClass}
              >
                {title}
              </Link>
              <span className="block wrap-anywhere text-muted text-sm">{failureReason(command)}</span>
            </span>
            <span className="text-muted text-sm">
              <VisibleName>
                {devices.find((device) => device.id === deviceId)?.name ?? "A deleted device"}
              </VisibleName>
              , <Time at={finishedAt ?? createdAt} />
            </span>
            <IconButton label={`Dismiss: ${title.toLowerCase()}`} onClick={() => onDismiss(id)}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </ItemLine>
        );
      })}
    </ItemList>
  );
}

interface TasksInProgressProps {
  tasks: readonly Task[];
  running: readonly AgentSession[];
}

/** The user's tasks in progress, with the agents that work on them. */
export function TasksInProgress({ tasks, running }: TasksInProgressProps) {
  const { slug: organization } = useOrganization();
  return (
    <ItemList title="Your tasks in progress">
      {tasks.map(({ id, slug, title, updatedAt }) => (
        <ItemLine key={id}>
          <Link
            to="/o/$organization/tasks/$task"
            params={{ organization, task: slug }}
            className={`min-w-0 flex-1 basis-64 ${linkClass}`}
          >
            <VisibleName>{title}</VisibleName>
          </Link>
          {running
            .filter(({ taskId }) => taskId === id)
            .map((session) => (
              <AgentLink key={session.id} session={session} />
            ))}
          <span className="text-muted text-sm">
            <Time at={updatedAt} />
          </span>
        </ItemLine>
      ))}
    </ItemList>
  );
}

interface RunningAgentsProps {
  title: string;
  /** Whether each agent has a button that opens it, because that is what the user does next. */
  isNext?: boolean;
  sessions: readonly AgentSession[];
  workspaces: readonly Workspace[];
}

/** The user's running agents that do not wait for input, or of these, those whose turn ended. */
export const RunningAgents = ({ title, isNext = false, sessions, workspaces }: RunningAgentsProps) => (
  <ItemList title={title}>
    {sessions.map((session) => (
      <ItemLine key={session.id}>
        <span className="min-w-0 flex-1 basis-64">
          <AgentLink session={session} />
          <LastLine session={session} />
        </span>
        <span className="text-muted text-sm">
          <VisibleName>{workspaces.find(({ id }) => id === session.workspaceId)?.name}</VisibleName>, started{" "}
          <Time at={session.startedAt} />
        </span>
        {isNext && <OpenSession session={session} />}
      </ItemLine>
    ))}
  </ItemList>
);

const AgentLink = ({ session }: { session: AgentSession }) => (
  <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-2">
    <SessionLink session={session} />
    <SessionState session={session} />
  </span>
);

function OpenSession({ session }: { session: AgentSession }) {
  const { slug: organization } = useOrganization();
  return (
    <Link
      to="/o/$organization/agents/$sessionId"
      params={{ organization, sessionId: session.id }}
      className={buttonClass()}
    >
      Open<span className="sr-only"> {sessionName(session)}</span>
    </Link>
  );
}
