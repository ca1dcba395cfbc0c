import type { AgentSession, Device, Workspace } from "@grove/schemas";
import { useEffect, useRef } from "react";
import { AskCard } from "./askCard";

interface AsksProps {
  asking: readonly AgentSession[];
  workspaces: readonly Workspace[];
  devices: readonly Device[];
}

/** The agents that ask, one card each. When the answered card goes, the focus goes to the next one, or to the page. */
export function Asks({ asking, workspaces, devices }: AsksProps) {
  const list = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const ids = asking.map(({ id }) => id).join();
  useEffect(() => {
    void ids;
    if (!hadFocus.current || document.activeElement !== document.body) return;
    (list.current?.querySelector("input") ?? document.getElementById("main"))?.focus();
  }, [ids]);
  // It stays mounted without a card, so that the focus of the last one is not lost.
  if (asking.length === 0) return null;
  return (
    <section
      ref={list}
      aria-label="Agents that ask"
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        // A card that disappears takes the focus with it; then nothing else gets it.
        hadFocus.current = relatedTarget === null;
      }}
      className="flex flex-col gap-3"
    >
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
