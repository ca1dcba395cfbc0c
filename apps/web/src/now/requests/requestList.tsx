import type { AgentRequest, AgentSession, Device, Workspace } from "@grove/schemas";
import { type RefObject, useState } from "react";
import { useUser } from "../../hooks/useOrganization";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { onKeys } from "../../ui/inputMethod";
import { useListFocus } from "../useListFocus";
import { groupRequests } from "./groupRequests";
import { RequestCard } from "./requestCard";

export interface RequestContext {
  sessions: readonly AgentSession[];
  workspaces: readonly Workspace[];
  devices: readonly Device[];
}

interface RequestListProps extends RequestContext {
  /** The open requests, and settled ones that are still shown. */
  requests: readonly AgentRequest[];
  openIds: ReadonlySet<string>;
  /** Called to dismiss a settled request. Undefined if the request cannot be dismissed. */
  onDismiss?: (id: string) => void;
}

/** The requests of the user's agents, then of other members' agents, then snoozed ones; with keys to answer. */
export function RequestList({ requests, openIds, onDismiss, ...context }: RequestListProps) {
  const { sessions, workspaces, devices } = context;
  const { own, others, snoozed } = groupRequests(requests, sessions, useUser().id);
  const shown = [...own, ...others, ...snoozed];
  const { current, choose, skip } = useCurrent(shown);
  const { ref, ...focus } = useListFocus<HTMLElement>(
    shown.map(({ id }) => `${id} ${openIds.has(id)}`),
    "[data-current]",
  );
  useRequestKeys(shown, current, ref, choose);
  if (shown.length === 0) return null;
  const card = (request: AgentRequest) => {
    const { id } = request;
    const session = sessions.find((one) => one.id === request.sessionId);
    return (
      <RequestCard
        key={id}
        request={request}
        isOpen={openIds.has(id)}
        session={session}
        workspace={workspaces.find((one) => one.id === session?.workspaceId)?.name}
        device={devices.find((one) => one.id === request.deviceId)}
        isCurrent={current?.id === id}
        onFocus={() => choose(id)}
        onAnswered={() => skip(id)}
        onSnoozed={() => choose(undefined)}
        onDismiss={onDismiss}
      />
    );
  };
  return (
    <section
      ref={ref}
      {...focus}
      onKeyDown={onKeys(openOnEnter)}
      aria-label="Requests of agents"
      className="mb-3 flex flex-col gap-3"
    >
      {own.map(card)}
      {others.length > 0 && <h2 className="pt-3 font-semibold">Agents of other members</h2>}
      {others.map(card)}
      {snoozed.length > 0 && <h2 className="pt-3 font-semibold">Snoozed</h2>}
      {snoozed.map(card)}
    </section>
  );
}

function openOnEnter({ key, target }: { key: string; target: EventTarget; keyCode: number }): void {
  if (key === "Enter" && target instanceof HTMLElement && target.matches("[data-request]"))
    target.querySelector<HTMLElement>("[data-terminal-link]")?.click();
}

/**
 * The request on which keys act: the chosen request, otherwise the first that this user has not answered. A request
 * that another user has answered stays current, so that no key press hits the next one by accident.
 */
function useCurrent(shown: readonly AgentRequest[]) {
  const [chosen, choose] = useState<string>();
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const isLeft = ({ id }: AgentRequest) => !answered.has(id);
  return {
    current: shown.find(({ id }) => id === chosen) ?? shown.find(isLeft),
    choose,
    /** Continues with the next request after this one was answered. */
    skip: (id: string) => {
      setAnswered((before) => new Set(before).add(id));
      const at = shown.findIndex((request) => request.id === id);
      choose(shown.slice(at + 1).find(isLeft)?.id);
    },
  };
}

function useRequestKeys(
  shown: readonly AgentRequest[],
  current: AgentRequest | undefined,
  list: RefObject<HTMLElement | null>,
  choose: (id: string) => void,
): void {
  const cardOf = (id: string | undefined) =>
    list.current?.querySelector<HTMLElement>(`[data-request="${id}"]`);
  const move = (step: number) => {
    const at = shown.findIndex(({ id }) => id === current?.id);
    // Without focus, the first press focuses the current card.
    const isFocused = cardOf(current?.id)?.contains(document.activeElement) ?? false;
    const next = shown[isFocused ? at + step : at];
    if (!next) return;
    choose(next.id);
    cardOf(next.id)?.focus();
  };
  const press = (key: string) => () =>
    cardOf(current?.id)?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
  useShortcuts({
    title: "Requests of agents",
    scope: "page",
    shortcuts:
      shown.length === 0
        ? []
        : [
            { keys: "j", title: "Next request", run: () => move(1) },
            { keys: "k", title: "Previous request", run: () => move(-1) },
            { keys: "a", title: "Allow, or send the answers", run: press("a") },
            { keys: "A", title: "Allow for this session", run: press("A") },
            { keys: "x", title: "Deny", run: press("x") },
            { keys: "l", title: "Snooze, or end the snooze", run: press("l") },
            { keys: "Enter", title: "Open its terminal" },
          ],
  });
}
