import { skipToken, useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { COMMANDS_POLL_MS } from "../../lib/queries/pollIntervals";
import type { DiffInput } from "../view/diffQuery";

/** Reads the comments, the rounds and the user's mark of a workspace's change. */
export function useReviewList({
  target: { organizationId },
  workspaceId,
}: Pick<DiffInput, "target" | "workspaceId">) {
  const changes = useQuery(
    queries.workspace.change.list.queryOptions({ organizationId, workspaceId, limit: 1 }),
  );
  /** Undefined while it is loading, null for a workspace without a branch of its own. */
  const changeId = changes.data && (changes.data[0]?.id ?? null);
  const listed = useQuery(
    queries.workspace.review.list.queryOptions(changeId ? { organizationId, changeId } : skipToken, {
      // No event reports the delivery of a round.
      refetchInterval: ({ state: { data } }) =>
        data?.rounds.some(({ status }) => status === "queued") ? COMMANDS_POLL_MS : false,
    }),
  );
  return { changeId, listed, error: changes.error ?? listed.error };
}
