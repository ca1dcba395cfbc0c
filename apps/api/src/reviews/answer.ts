import { GroveError } from "@grove/auth";
import { type CommentAnswerState, FIND_COMMIT_WAIT_MS, type ReviewComment } from "@grove/schemas";
import { sql } from "kysely";
import { requireOwnChange } from "../changes/requireOwnChange";
import { requireWorkspaceDevice } from "../changes/requireWorkspaceDevice";
import { runTool } from "../dispatch/submit/runTool";
import type { Requester } from "../lib/idempotency";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { readReviewedChange, toReviewComment } from "./row";

interface Answer {
  organizationId: string;
  id: string;
  /** Limits the comments to those on the change of this workspace. */
  onlyIn?: string;
  state: CommentAnswerState;
  commit?: string | undefined;
  body: string;
}

/**
 * Records an agent's answer to a comment. It replaces the former answer, and resolves nothing.
 * @throws {GroveError} NOT_FOUND; what {@link readReviewedChange} and {@link requireOwnChange} throw;
 * CONFLICT `sent_again`; PRECONDITION_FAILED `comment_not_sent`, `commit_unknown`, and what `runTool` throws
 */
export async function answerComment(
  services: Services,
  principal: Requester,
  { organizationId, id, onlyIn, state, commit, body }: Answer,
  caller: AbortSignal | undefined,
): Promise<ReviewComment> {
  const { db } = services.database;
  const comment = await db
    .selectFrom("review_comments")
    .select(["author_id", "change_id", "state", "round_id"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!comment || (comment.state === "draft" && comment.author_id !== principal.user.id))
    throw notFound("comment", id);
  const { workspaceId } = await readReviewedChange(db, principal, {
    organizationId,
    changeId: comment.change_id,
  });
  if (onlyIn !== undefined && workspaceId !== onlyIn) throw notFound("comment", id);
  await requireOwnChange(db, principal, { organizationId, workspaceId });
  if (comment.state === "draft")
    throw new GroveError(
      "PRECONDITION_FAILED",
      "The comment is a draft that was not sent to an agent. Answer only the comments of a review round.",
      {
        reason: "comment_not_sent",
      },
    );
  const foundCommit =
    commit === undefined
      ? null
      : await findCommit(services, principal, { organizationId, workspaceId, commit }, caller);
  const row = await db
    .updateTable("review_comments")
    .set({ answer_state: state, answer_commit: foundCommit, answer_body: body })
    .set({ answered_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("round_id", "is not distinct from", comment.round_id)
    .returningAll()
    .executeTakeFirst();
  // The device may take long to find the commit.
  if (!row)
    throw new GroveError(
      "CONFLICT",
      "The comment was sent again in the meantime. Read it, then answer it again.",
      { reason: "sent_again" },
    );
  services.live.hint(organizationId);
  return toReviewComment(row);
}

/** @returns the full id of a commit in the history of a workspace, from its device */
async function findCommit(
  services: Services,
  principal: Requester,
  {
    organizationId,
    workspaceId,
    commit,
  }: { organizationId: string; workspaceId: string | null; commit: string },
  caller: AbortSignal | undefined,
): Promise<string> {
  if (workspaceId === null)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The workspace was deleted, so the commit ${commit} cannot be checked. Answer without a commit.`,
      { reason: "workspace_not_on_device" },
    );
  const deviceId = await requireWorkspaceDevice(services.database.db, principal, {
    organizationId,
    workspaceId,
  });
  const call = { organizationId, deviceId, params: { workspaceId, commit }, waitMs: FIND_COMMIT_WAIT_MS };
  const found = await runTool(
    services,
    principal,
    { ...call, tool: "find_commit", refusals: ["commit_unknown"], next: "Try again." },
    caller,
  );
  return found.commit;
}
