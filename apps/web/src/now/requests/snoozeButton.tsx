import type { AgentRequest } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../../hooks/useOrganization";
import { formatClock } from "../../lib/agentSessions/sessionActivity";
import { client, queries, queryClient } from "../../lib/api";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { isSnoozed } from "./groupRequests";

interface SnoozeButtonProps {
  request: AgentRequest;
  hasKeys: boolean;
  isBusy: boolean;
  onSnoozed: () => void;
}

/** Snoozes a request for an hour, for this user only, or ends the snooze. */
export function SnoozeButton({ request, hasKeys, isBusy, onSnoozed }: SnoozeButtonProps) {
  const { id: organizationId } = useOrganization();
  const snoozed = isSnoozed(request);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.agent.snoozeRequest.mutate({
        organizationId,
        id: request.id,
        ...(snoozed && { until: null }),
      }),
    onSuccess: () => {
      if (!snoozed) onSnoozed();
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
          snoozed ? undefined : "It moves to the end of your list for an hour. Others can still answer it."
        }
        busy={isBusy || isPending}
        onClick={() => mutate()}
      >
        {snoozed ? "End snooze" : "Snooze for an hour"}
        {hasKeys && (
          <span aria-hidden="true">
            <KeyCaps keys="l" />
          </span>
        )}
      </Button>
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
