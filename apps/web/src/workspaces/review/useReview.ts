import { type AgentSession, MAX_ROUND_COMMENTS, type ReviewComment } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { client, queries } from "../../lib/api";
import { pluralize } from "../../ui/pluralize";
import { showToast } from "../../ui/showToast";
import type { DiffInput } from "../view/diffQuery";
import { failureText } from "./reviewTexts";
import { draftsSaved } from "./useDraft";
import type { useMarkChangeSeen } from "./useMarkChangeSeen";
import { useReviewList } from "./useReviewList";

export interface ReviewInput extends Pick<DiffInput, "target" | "workspaceId"> {
  /** A round that is sent marks the version on the screen as seen. */
  seen: Pick<ReturnType<typeof useMarkChangeSeen>, "saveSeen" | "record">;
}

/** The review of a workspace's change: its comments, and the actions on them. */
export function useReview({ target, workspaceId, seen }: ReviewInput) {
  const { organizationId } = target;
  const { changeId, listed, error } = useReviewList({ target, workspaceId });
  const sessions = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }),
  ).data;
  // A plain terminal has no activity.
  const running = sessions?.filter(({ activity }) => activity !== null);
  /** The comments to send, while the user chooses one of several agents. */
  const [waiting, setWaiting] = useState<{ ids: string[]; again: boolean }>();
  const refetch = [queries.workspace.review.list.pathFilter()];
  const send = async (what: { sessionId: string; ids: string[]; again: boolean }) => {
    // The button takes the focus from an editor, whose text is sent too.
    await draftsSaved();
    // Saved before the agent changes the files. The round is sent with or without a mark.
    const point = await seen.saveSeen().catch(() => undefined);
    const sent = await client.workspace.review.send.mutate({
      organizationId,
      changeId: changeId ?? "",
      ...what,
    });
    if (sent.status === "delivered" && point !== undefined) await seen.record(point).catch(() => undefined);
    return sent;
  };
  const round = useMutationWithRefetch(
    { mutationFn: send },
    {
      refetch,
      onDone: (sent, { ids }) => {
        const isDelivered = sent.status === "delivered";
        const title = isDelivered
          ? `Sent ${pluralize(ids.length, "comment")} to the agent.`
          : "The agent has not confirmed the comments.";
        showToast({ title, description: isDelivered ? undefined : failureText(sent) });
      },
    },
  );
  const discarding = useMutationWithRefetch(queries.workspace.review.discard.mutationOptions(), { refetch });
  const settingResolved = useMutationWithRefetch(queries.workspace.review.settle.mutationOptions(), {
    refetch,
  });
  const { comments = [], rounds = [] } = listed.data ?? {};
  const failedRounds = new Set(
    rounds.filter(({ status }) => status === "failed" || status === "unknown").map(({ id }) => id),
  );
  const sendTo = ({ id: sessionId }: Pick<AgentSession, "id">, what: { ids: string[]; again: boolean }) => {
    setWaiting(undefined);
    if (changeId && !round.isPending) round.mutate({ sessionId, ...what });
  };
  return {
    changeId,
    comments,
    rounds,
    error,
    drafts: comments.filter(({ state }) => state === "draft"),
    undelivered: comments.filter(
      ({ state, roundId, claim }) =>
        state === "sent" && claim === null && roundId !== null && failedRounds.has(roundId),
    ),
    noAgent: running?.length === 0 ? "No agent runs in this workspace. Start one first." : undefined,
    isSending: round.isPending,
    sendError: round.error,
    changeError: discarding.error ?? settingResolved.error,
    send: (chosen: readonly ReviewComment[], again: boolean) => {
      const what = { ids: chosen.slice(0, MAX_ROUND_COMMENTS).map(({ id }) => id), again };
      const [only, ...others] = running ?? [];
      if (others.length > 0) setWaiting(what);
      else if (only) sendTo(only, what);
    },
    discard: (id: string) => discarding.mutate({ organizationId, id }),
    setResolved: (id: string, resolved: boolean) => settingResolved.mutate({ organizationId, id, resolved }),
    choice: waiting &&
      running && {
        sessions: running,
        onChoose: (id: string) => sendTo({ id }, waiting),
        onClose: () => setWaiting(undefined),
      },
  };
}
