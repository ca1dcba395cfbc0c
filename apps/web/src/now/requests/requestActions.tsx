import { errorData } from "@grove/client";
import type { AgentRequest, AllowScope } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { client } from "../../lib/api";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { useSingleKeys } from "../../shortcuts/singleKeys";
import { Button, type ButtonLook } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { isDestructive } from "./isDestructive";
import { SnoozeButton } from "./snoozeButton";

interface RequestActionsProps {
  request: AgentRequest;
  isCurrent: boolean;
  isBusy: boolean;
  /** Sends the answers to its questions; undefined for other requests. */
  onAnswer: (() => void) | undefined;
  /** Why its questions cannot be answered yet. */
  unanswered: string | undefined;
  onAllow: (scope: AllowScope) => void;
  onDeny: () => void;
  onSnoozed: () => void;
}

/** The buttons of a request. The page's shortcuts press the buttons of the current card. */
export function RequestActions(props: RequestActionsProps) {
  const { request, isCurrent, isBusy, onAnswer, unanswered, onAllow, onDeny, onSnoozed } = props;
  const [confirming, setConfirming] = useState<AllowScope>();
  const release = useRelease(request);
  const hasKeys = useSingleKeys() && isCurrent;
  const allow = (scope: AllowScope, { detail }: MouseEvent) => {
    if (!isDestructive(request)) onAllow(scope);
    else if (confirming !== scope) setConfirming(scope);
    // A double click is one intention.
    else if (detail < 2) onAllow(scope);
  };
  const button = (key: string, label: string, onClick: (event: MouseEvent) => void, look?: ButtonLook) => (
    <Button data-key={key} look={look} busy={isBusy || release.isPending} onClick={onClick}>
      {label}
      {hasKeys && (
        <span aria-hidden="true">
          <KeyCaps keys={key} />
        </span>
      )}
    </Button>
  );
  const allowButton = (scope: AllowScope, key: string, label: string, look?: ButtonLook) =>
    button(
      key,
      confirming === scope ? `Press ${hasKeys ? `${key} ` : ""}again to allow` : label,
      (event) => allow(scope, event),
      look,
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {onAnswer ? (
        <Button data-key="a" look="primary" busy={isBusy} reason={unanswered} onClick={onAnswer}>
          Answer
        </Button>
      ) : (
        <>
          {allowButton("once", "a", request.kind === "plan" ? "Accept" : "Allow", "primary")}
          {request.scopes.includes("session") && allowButton("session", "A", "Allow for this session")}
        </>
      )}
      {button("x", "Deny…", () => {
        setConfirming(undefined);
        onDeny();
      })}
      <Button look="quiet" busy={isBusy || release.isPending} onClick={() => release.mutate()}>
        In the terminal
      </Button>
      <SnoozeButton
        request={request}
        hasKeys={hasKeys}
        onSnoozed={onSnoozed}
        isBusy={isBusy || release.isPending}
      />
      {release.error && !release.isGone && (
        <Problem title="Could not leave the request to the terminal." error={release.error} />
      )}
    </div>
  );
}

/** Leaves a request to the agent's own prompt, and opens its terminal. */
function useRelease({ id, sessionId }: AgentRequest) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const open = () =>
    navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } });
  const isGone = (error: Error | null) => errorData(error)?.reason === "request_gone";
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.agent.releaseRequest.mutate({ organizationId, id }),
    onSuccess: open,
    onError: (failure) => {
      if (isGone(failure)) void open();
    },
  });
  return { mutate, error, isPending, isGone: isGone(error) };
}
