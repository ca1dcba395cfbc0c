import type { Database } from "@grove/db";
import type { ReviewComment, ReviewMark, ReviewRound } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { ChangeKey } from "../changes/row";
import type { Requester } from "../lib/idempotency";
import { refreshRounds } from "./refreshRounds";
import { readReviewedChange, toReviewComment, toReviewRound } from "./row";

/**
 * Lists the comments of a change that the caller may read, oldest first, its rounds, and the caller's mark.
 * @throws {GroveError} what {@link readReviewedChange} throws
 */
export async function listReview(
  db: Kysely<Database>,
  principal: Requester,
  key: ChangeKey,
): Promise<{ comments: ReviewComment[]; rounds: ReviewRound[]; mark: ReviewMark | null }> {
  await readReviewedChange(db, principal, key);
  await refreshRounds(db, key);
  const comments = await db
    .selectFrom("review_comments")
    .selectAll()
    .where("organization_id", "=", key.organizationId)
    .where("change_id", "=", key.changeId)
    .where((where) => where.or([where("state", "<>", "draft"), where("author_id", "=", principal.user.id)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const rounds = await db
    .selectFrom("review_rounds")
    .selectAll()
    .where("organization_id", "=", key.organizationId)
    .where("change_id", "=", key.changeId)
    .orderBy("number")
    .execute();
  const mark = await db
    .selectFrom("review_marks")
    .select(["point", "marked_at as markedAt"])
    .where("organization_id", "=", key.organizationId)
    .where("change_id", "=", key.changeId)
    .where("user_id", "=", principal.user.id)
    .executeTakeFirst();
  return {
    comments: comments.map(toReviewComment),
    rounds: rounds.map(toReviewRound),
    mark: mark ?? null,
  };
}
