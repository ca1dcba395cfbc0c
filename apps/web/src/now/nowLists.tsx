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
import { describeTool, failureReason } from "./failedCommands";
import type { OfflineDevice } from "./offlineDevices";
import { useListFocus } from "./useListFocus";

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
  onDismiss: (id: string) => void;
}

/** The user's failed commands. */
export function Failures({ failures, devices, onDismiss }: FailuresProps) {
  const { slug: organization } = useOrganization();
  const focus = useListFocus<HTMLUListElement>(
    failures.map(({ id }) => id),
    "button",
  );
  // Stays mounted without lines, so that the focus can leave the last one.
  if (failures.length === 0) return null;
  return (
    <List title="Failed" {...focus}>
      {failures.map((command) => {
        const { id, tool, deviceId, finishedAt, createdAt } = command;
        const title = `Could not ${describeTool(tool)}`;
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
                {title}
              </Link>
              <span className="block wrap-anywhere text-muted text-sm">{failureReason(command)}</span>
            </span>
            <span className="text-muted text-sm">
              <VisibleName>
                {devices.find((device) => device.id === deviceId)?.name ?? "A former device"}
              </VisibleName>
              , <Time at={finishedAt ?? createdAt} />
            </span>
            <IconButton label={`Dismiss: ${title.toLowerCase()}`} onClick={() => onDismiss(id)}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </Line>
        );
      })}
    </List>
  );
}

/** Machines that went offline while agents were running on them. */
export function OfflineDevices({ offline }: { offline: readonly OfflineDevice[] }) {
  const { slug: organization } = useOrganization();
  return (
    <List title="Offline machines with running agents">
      {offline.map(({ device, agents }) => (
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

/** The user's tasks in progress, with the agents that work on them. */
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

interface RunningAgentsProps {
  sessions: readonly AgentSession[];
  workspaces: readonly Workspace[];
}

/** The user's running agents that do not wait for input. */
export const RunningAgents = ({ sessions, workspaces }: RunningAgentsProps) => (
  <List title="Your running agents">
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
