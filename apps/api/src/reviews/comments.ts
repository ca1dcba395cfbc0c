import { GroveError, type UserPrincipal } from "@grove/auth";
import type { Database, ReviewCommentTable } from "@grove/db";
import { type Anchor, MAX_COMMENTS, type ReviewComment } from "@grove/schemas";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { ChangeKey } from "../changes/row";
import { notFound } from "../lib/notFound";
import { alreadySent } from "./alreadySent";
import { NO_ANSWER, readReviewedChange, toReviewComment } from "./row";

interface Draft extends ChangeKey {
  id: string;
  anchor: Anchor;
  body: string;
}

interface CommentKey {
  organizationId: string;
  id: string;
}

/**
 * Locks a change, so that its comments are counted and sent by one transaction at a time.
 * @throws {GroveError} NOT_FOUND
 */
export async function lockChange(
  trx: Transaction<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<void> {
  const row = await trx
    .selectFrom("changes")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("change", changeId);
}

/**
 * Creates or edits a draft.
 * @throws {GroveError} what {@link readReviewedChange} throws; CONFLICT `already_sent`, `id_taken`; PRECONDITION_FAILED
 * `quota_exceeded`
 */
export async function saveDraft(
  db: Kysely<Database>,
  principal: UserPrincipal,
  { organizationId, changeId, id, anchor, body }: Draft,
): Promise<ReviewComment> {
  await readReviewedChange(db, principal, { organizationId, changeId });
  return db.transaction().execute(async (trx) => {
    await lockChange(trx, { organizationId, changeId });
    // The id is the client's choice, so it may be taken in any organization.
    const known = await trx.selectFrom("review_comments").selectAll().where("id", "=", id).executeTakeFirst();
    const isOwn = known?.organization_id === organizationId && known.change_id === changeId;
    if (known && !(isOwn && known.author_id === principal.user.id))
      throw new GroveError("CONFLICT", `The id ${id} is already in use. Generate another one.`, {
        reason: "id_taken",
      });
    if (known && known.state !== "draft") throw await alreadySent(trx, known);
    if (!known) await requireCommentQuota(trx, { organizationId, changeId });
    const fields = { body, anchor: JSON.stringify(anchor) };
    const row = await trx
      .insertInto("review_comments")
      .values({
        id,
        organization_id: organizationId,
        change_id: changeId,
        author_id: principal.user.id,
        ...fields,
      })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({ ...fields, updated_at: sql<string>`now()` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    return toReviewComment(row);
  });
}

async function requireCommentQuota(
  trx: Transaction<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<void> {
  const { count } = await trx
    .selectFrom("review_comments")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("change_id", "=", changeId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_COMMENTS) return;
  throw new GroveError(
    "PRECONDITION_FAILED",
    `A change has at most ${MAX_COMMENTS} comments. Discard drafts.`,
    {
      reason: "quota_exceeded",
      details: { kind: "reviewComments", limit: MAX_COMMENTS },
    },
  );
}

/** Deletes a draft of the caller. @throws {GroveError} NOT_FOUND, CONFLICT `already_sent` */
export const discardDraft = (
  db: Kysely<Database>,
  principal: UserPrincipal,
  key: CommentKey,
): Promise<void> =>
  changeComment(db, principal, key, async (trx, comment) => {
    if (comment.state !== "draft") throw await alreadySent(trx, comment);
    await trx
      .deleteFrom("review_comments")
      .where("organization_id", "=", comment.organization_id)
      .where("id", "=", comment.id)
      .execute();
  });

/**
 * Resolves a comment that was sent, or opens it again. An agent's answer to a comment that is open already is rejected.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED for a draft
 */
export const setResolved = (
  db: Kysely<Database>,
  principal: UserPrincipal,
  { resolved, ...key }: CommentKey & { resolved: boolean },
): Promise<ReviewComment> =>
  changeComment(db, principal, key, async (trx, comment) => {
    if (comment.state === "draft")
      throw new GroveError("PRECONDITION_FAILED", "The comment is a draft. Send or discard it.");
    const row = await trx
      .updateTable("review_comments")
      .set(resolved ? { state: "resolved" } : { state: "sent", ...(comment.state === "sent" && NO_ANSWER) })
      .set({ updated_at: sql<string>`now()` })
      .where("organization_id", "=", comment.organization_id)
      .where("id", "=", comment.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toReviewComment(row);
  });

/** Locks a comment that the caller may read, for `work`. Another person's draft counts as missing. */
async function changeComment<Result>(
  db: Kysely<Database>,
  principal: UserPrincipal,
  { organizationId, id }: CommentKey,
  work: (trx: Transaction<Database>, comment: Selectable<ReviewCommentTable>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const comment = await trx
      .selectFrom("review_comments")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!comment || (comment.state === "draft" && comment.author_id !== principal.user.id))
      throw notFound("comment", id);
    await readReviewedChange(trx, principal, { organizationId, changeId: comment.change_id });
    return work(trx, comment);
  });
}
