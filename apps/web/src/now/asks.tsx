import type { AgentSession, Device, Workspace } from "@grove/schemas";
import { AskCard } from "./askCard";
import { useKeptFocus } from "./useKeptFocus";

interface AsksProps {
  /** The agents that ask, and those that no longer do but whose cards have an unsent answer. */
  shown: readonly AgentSession[];
  /** The ids of those that ask. */
  waiting: ReadonlySet<string>;
  onUnsent(session: AgentSession, isUnsent: boolean): void;
  workspaces: readonly Workspace[];
  devices: readonly Device[];
}

/** The agents that ask, one card each. */
export function Asks({ shown, waiting, onUnsent, workspaces, devices }: AsksProps) {
  const kept = useKeptFocus<HTMLElement>(
    shown.map(({ id }) => id),
    "input",
  );
  // It stays mounted without a card, so that the focus of the last one is not lost.
  if (shown.length === 0) return null;
  return (
    <section {...kept} aria-label="Agents that ask" className="flex flex-col gap-3">
      {shown.map((session) => (
        <AskCard
          key={session.id}
          session={session}
          isWaiting={waiting.has(session.id)}
          onUnsent={onUnsent}
          workspace={workspaces.find(({ id }) => id === session.workspaceId)?.name}
          device={devices.find(({ id }) => id === session.deviceId)}
        />
      ))}
    </section>
  );
}
