import type { AgentRequest } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { formatClock } from "../../lib/agentSessions/sessionActivity";
import { client, queries, queryClient } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { isSnoozed } from "./groupRequests";

// Loaded when it is first opened.
const SnoozeMenu = lazily(async () => (await import("./snoozeMenu")).SnoozeMenu);

interface SnoozeButtonProps {
  request: AgentRequest;
  hasKeys: boolean;
  isBusy: boolean;
  onSnoozed: () => void;
}

/** Opens the menu that snoozes a request, for this user only, or ends the snooze. */
export function SnoozeButton({ request, hasKeys, isBusy, onSnoozed }: SnoozeButtonProps) {
  const { id: organizationId } = useOrganization();
  const snoozed = isSnoozed(request);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const close = () => setAnchor(undefined);
  const { mutate, error, isPending } = useMutation({
    /** @param until null ends the snooze */
    mutationFn: (until: string | null) =>
      client.agent.snoozeRequest.mutate({ organizationId, id: request.id, until }),
    onSuccess: (_, until) => {
      if (until !== null) onSnoozed();
      return Promise.all(
        [queries.agent.listRequests, queries.agent.getRequest].map((query) =>
          queryClient.invalidateQueries(query.pathFilter()),
        ),
      );
    },
  });
  return (
    <>
      <Button
        data-key="l"
        look="quiet"
        title={
          snoozed ? undefined : "It moves to the end of your list until then. Others can still answer it."
        }
        busy={isBusy || isPending}
        {...(!snoozed && { "aria-haspopup": "menu", "aria-expanded": anchor !== undefined })}
        onClick={({ currentTarget }) => (snoozed ? mutate(null) : setAnchor(currentTarget))}
      >
        {snoozed ? "End snooze" : "Snooze"}
        {!snoozed && <ChevronDown aria-hidden="true" className="size-4" />}
        {hasKeys && (
          <span aria-hidden="true">
            <KeyCaps keys="l" />
          </span>
        )}
      </Button>
      <Suspense fallback={<HoldKeys />}>
        {anchor && <SnoozeMenu request={request} anchor={anchor} onSelect={mutate} onClose={close} />}
      </Suspense>
      {request.snoozedUntil !== null && snoozed && (
        <span className="text-muted text-sm">Snoozed until {formatClock(request.snoozedUntil)}</span>
      )}
      {error && (
        <Problem
          title={snoozed ? "Could not end the snooze." : "Could not snooze the request."}
          error={error}
        />
      )}
    </>
  );
}
