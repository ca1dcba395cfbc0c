import type { AgentSession, CommandListed, Device, Task, Workspace } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { CircleX, Unplug, X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { adviceFor, Presence } from "../components/presence";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { IconButton } from "../ui/button";
import { Section } from "../ui/section";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { actionOf, causeOf } from "./failures";
import { useKeptFocus } from "./useKeptFocus";
import type { Gone } from "./waits";

/** The lists of Now below the agents that ask. Each is there only if it has something. */

interface ListProps extends Omit<ComponentProps<"ul">, "className"> {
  title: string;
}

const List = ({ title, children, ...props }: ListProps) => (
  <Section title={title}>
    <ul {...props} className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {children}
    </ul>
  </Section>
);

const Line = ({ children }: { children: ReactNode }) => (
  <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5">{children}</li>
);

const linkClass = "wrap-anywhere font-medium underline-offset-3 hover:underline";

interface FailuresProps {
  failures: readonly CommandListed[];
  devices: readonly Device[];
  onPutAway: (id: string) => void;
}

/** Commands of this person that have failed, until they are put away. */
export function Failures({ failures, devices, onPutAway }: FailuresProps) {
  const { slug: organization } = useOrganization();
  const kept = useKeptFocus<HTMLUListElement>(
    failures.map(({ id }) => id),
    "button",
  );
  // It stays mounted without a line, so that the focus of the last one is not lost.
  if (failures.length === 0) return null;
  return (
    <List title="Failed" {...kept}>
      {failures.map((command) => {
        const { id, tool, deviceId, finishedAt, createdAt } = command;
        const words = `Could not ${actionOf(tool)}`;
        return (
          <Line key={id}>
            <CircleX aria-hidden="true" className="size-4 shrink-0 text-danger" />
            <span className="min-w-0 flex-1 basis-64">
              <Link
                {...(tool === "create_workspace"
                  ? {
                      to: "/o/$organization/workspaces/making/$commandId",
                      params: { organization, commandId: id },
                    }
                  : {
                      to: "/o/$organization/devices/$deviceId",
                      params: { organization, deviceId },
                      search: { tab: "commands", command: id },
                    })}
                className={linkClass}
              >
                {words}
              </Link>
              <span className="block wrap-anywhere text-muted text-sm">{causeOf(command)}</span>
            </span>
            <span className="text-muted text-sm">
              <VisibleName>
                {devices.find((device) => device.id === deviceId)?.name ?? "A former device"}
              </VisibleName>
              , <Time at={finishedAt ?? createdAt} />
            </span>
            <IconButton label={`Put away: ${words.toLowerCase()}`} onClick={() => onPutAway(id)}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </Line>
        );
      })}
    </List>
  );
}

/** Machines that went away with agents at work on them. */
export function GoneMachines({ gone }: { gone: readonly Gone[] }) {
  const { slug: organization } = useOrganization();
  return (
    <List title="Machines that went away with work on them">
      {gone.map(({ device, agents }) => (
        <Line key={device.id}>
          <Unplug aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <span className="min-w-0 flex-1 basis-64">
            <Link
              to="/o/$organization/devices/$deviceId"
              params={{ organization, deviceId: device.id }}
              className={linkClass}
            >
              <VisibleName>{device.name}</VisibleName>
            </Link>
            <span className="block text-muted text-sm">{adviceFor(device)?.words}</span>
          </span>
          <span className="text-muted text-sm">{agents === 1 ? "1 agent" : `${agents} agents`}</span>
          <Presence device={device} />
        </Line>
      ))}
    </List>
  );
}

interface TasksProps {
  tasks: readonly Task[];
  running: readonly AgentSession[];
}

/** The tasks that this person has in progress, with the agents on them. */
export function TasksInProgress({ tasks, running }: TasksProps) {
  const { slug: organization } = useOrganization();
  return (
    <List title="Your tasks in progress">
      {tasks.map(({ id, slug, title, updatedAt }) => (
        <Line key={id}>
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
        </Line>
      ))}
    </List>
  );
}

interface AtWorkProps {
  sessions: readonly AgentSession[];
  workspaces: readonly Workspace[];
}

/** This person's agents that work and ask nothing. */
export const AtWork = ({ sessions, workspaces }: AtWorkProps) => (
  <List title="Your agents at work">
    {sessions.map((session) => (
      <Line key={session.id}>
        <span className="min-w-0 flex-1 basis-64">
          <AgentLink session={session} />
        </span>
        <span className="text-muted text-sm">
          <VisibleName>{workspaces.find(({ id }) => id === session.workspaceId)?.name}</VisibleName>, started{" "}
          <Time at={session.startedAt} />
        </span>
      </Line>
    ))}
  </List>
);

function AgentLink({ session }: { session: AgentSession }) {
  const { slug: organization } = useOrganization();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: session.id }}
        className={linkClass}
      >
        <VisibleName>{session.agent}</VisibleName>
      </Link>
      <SessionState session={session} />
    </span>
  );
}
