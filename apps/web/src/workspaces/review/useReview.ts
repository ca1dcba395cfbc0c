import { type AgentSession, MAX_ROUND_COMMENTS, type ReviewComment } from "@grove/schemas";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { COMMANDS_POLL_MS } from "../../lib/pollIntervals";
import { pluralize } from "../../ui/pluralize";
import { showToast } from "../../ui/showToast";
import type { DiffInput } from "../view/diffQuery";
import { failureText } from "./reviewTexts";
import { draftsSaved } from "./useDraft";

/** The review of a workspace's change: its comments, and the actions on them. */
export function useReview({
  target: { organizationId },
  workspaceId,
}: Pick<DiffInput, "target" | "workspaceId">) {
  const changes = useQuery(
    queries.workspace.change.list.queryOptions({ organizationId, workspaceId, limit: 1 }),
  );
  const changeId = changes.data && (changes.data[0]?.id ?? null);
  const listed = useQuery(
    queries.workspace.review.list.queryOptions(changeId ? { organizationId, changeId } : skipToken, {
      // No event reports the delivery of a round.
      refetchInterval: ({ state: { data } }) =>
        data?.rounds.some(({ status }) => status === "queued") ? COMMANDS_POLL_MS : false,
    }),
  );
  const sessions = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }),
  ).data;
  // A plain terminal has no activity.
  const running = sessions?.filter(({ activity }) => activity !== null);
  /** The comments to send, while the user chooses one of several agents. */
  const [waiting, setWaiting] = useState<{ ids: string[]; again: boolean }>();
  const refetch = [queries.workspace.review.list.pathFilter()];
  const round = useMutationWithRefetch(queries.workspace.review.send.mutationOptions(), {
    refetch,
    onDone: (sent, { ids }) => {
      const isDelivered = sent.status === "delivered";
      const title = isDelivered
        ? `Sent ${pluralize(ids?.length ?? 0, "comment")} to the agent.`
        : "The agent has not confirmed the comments.";
      showToast({ title, description: isDelivered ? undefined : failureText(sent) });
    },
  });
  const discarding = useMutationWithRefetch(queries.workspace.review.discard.mutationOptions(), { refetch });
  const settling = useMutationWithRefetch(queries.workspace.review.settle.mutationOptions(), { refetch });
  const { comments = [], rounds = [] } = listed.data ?? {};
  const failedRounds = new Set(
    rounds.filter(({ status }) => status === "failed" || status === "unknown").map(({ id }) => id),
  );
  const sendTo = async (
    { id: sessionId }: Pick<AgentSession, "id">,
    what: { ids: string[]; again: boolean },
  ) => {
    setWaiting(undefined);
    if (!changeId || round.isPending) return;
    // The button takes the focus from an editor, whose text is sent too.
    await draftsSaved();
    round.mutate({ organizationId, changeId, sessionId, ...what });
  };
  return {
    changeId,
    comments,
    rounds,
    error: changes.error ?? listed.error,
    drafts: comments.filter(({ state }) => state === "draft"),
    undelivered: comments.filter(
      ({ state, roundId, claim }) =>
        state === "sent" && claim === null && roundId !== null && failedRounds.has(roundId),
    ),
    noAgent: running?.length === 0 ? "No agent runs in this workspace. Start one first." : undefined,
    isSending: round.isPending,
    sendError: round.error,
    changeError: discarding.error ?? settling.error,
    send: (chosen: readonly ReviewComment[], again: boolean) => {
      const what = { ids: chosen.slice(0, MAX_ROUND_COMMENTS).map(({ id }) => id), again };
      const [only, ...others] = running ?? [];
      if (others.length > 0) setWaiting(what);
      else if (only) void sendTo(only, what);
    },
    discard: (id: string) => discarding.mutate({ organizationId, id }),
    settle: (id: string, resolved: boolean) => settling.mutate({ organizationId, id, resolved }),
    choice: waiting &&
      running && {
        sessions: running,
        onChoose: (id: string) => void sendTo({ id }, waiting),
        onClose: () => setWaiting(undefined),
      },
  };
}
