import type { AgentSession, Device, Workspace } from "@grove/schemas";
import { AskCard } from "./askCard";
import { useKeptFocus } from "./useKeptFocus";

interface AsksProps {
  asking: readonly AgentSession[];
  workspaces: readonly Workspace[];
  devices: readonly Device[];
}

/** The agents that ask, one card each. */
export function Asks({ asking, workspaces, devices }: AsksProps) {
  const kept = useKeptFocus<HTMLElement>(
    asking.map(({ id }) => id),
    "input",
  );
  // It stays mounted without a card, so that the focus of the last one is not lost.
  if (asking.length === 0) return null;
  return (
    <section {...kept} aria-label="Agents that ask" className="flex flex-col gap-3">
      {asking.map((session) => (
        <AskCard
          key={session.id}
          session={session}
          workspace={workspaces.find(({ id }) => id === session.workspaceId)?.name}
          device={devices.find(({ id }) => id === session.deviceId)}
        />
      ))}
    </section>
  );
}
