import type { AgentSession, Device, Workspace } from "@grove/schemas";
import { useListFocus } from "./useListFocus";
import { WaitingAgentCard } from "./waitingAgentCard";

interface WaitingAgentsProps {
  /** The agents that wait for input, and those that are kept for an unsent answer. */
  shown: readonly AgentSession[];
  /** Ids of those that wait for input. */
  waitingIds: ReadonlySet<string>;
  onUnsent(session: AgentSession, isUnsent: boolean): void;
  workspaces: readonly Workspace[];
  devices: readonly Device[];
}

/** A card for each agent that waits for input. */
export function WaitingAgents({ shown, waitingIds, onUnsent, workspaces, devices }: WaitingAgentsProps) {
  const focus = useListFocus<HTMLElement>(
    shown.map(({ id }) => id),
    "input",
  );
  // Stays mounted without cards, so that the focus can leave the last one.
  if (shown.length === 0) return null;
  return (
    <section {...focus} aria-label="Agents that need input" className="flex flex-col gap-3">
      {shown.map((session) => (
        <WaitingAgentCard
          key={session.id}
          session={session}
          isWaiting={waitingIds.has(session.id)}
          onUnsent={onUnsent}
          workspace={workspaces.find(({ id }) => id === session.workspaceId)?.name}
          device={devices.find(({ id }) => id === session.deviceId)}
        />
      ))}
    </section>
  );
}
