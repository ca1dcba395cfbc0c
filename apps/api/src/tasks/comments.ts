import { GroveError, isAtLeast, recordAudit, type UserPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type {
  TaskActivity,
  TaskAddCommentInput,
  TaskDeleteCommentInput,
  TaskUpdateCommentInput,
} from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { type ActivityActor, actorOf, toActivity } from "./activity";
import { readTask, whereTask } from "./row";
import { recordTaskEvent } from "./taskEvents";

/**
 * Adds a comment to a task, or returns the one that was added with the same id.
 * @throws {GroveError} NOT_FOUND; CONFLICT `id_taken`; PRECONDITION_FAILED `quota_exceeded`
 */
export function addComment(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  { organizationId, id: reference, body, commentId = newId() }: TaskAddCommentInput,
): Promise<TaskActivity> {
  return database.db.transaction().execute(async (trx) => {
    const taskId = await touchTask(trx, organizationId, reference);
    await quotas.take(trx, "commentBytes", organizationId, Buffer.byteLength(body));
    const actor = actorOf(principal);
    const values = {
      organization_id: organizationId,
      task_id: taskId,
      kind: "comment",
      ...actor,
      body,
    } as const;
    const inserted = await trx
      .insertInto("task_activity")
      .values({ id: commentId, ...values })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted) {
      await recordUpdate(trx, organizationId, taskId);
      return toActivity(inserted);
    }
    const earlier = await findComment(trx, organizationId, commentId);
    if (earlier?.task_id !== taskId || earlier.actor_id !== actor.actor_id || earlier.body !== body)
      throw new GroveError("CONFLICT", `The id ${commentId} is already in use. Generate another one.`, {
        reason: "id_taken",
      });
    return toActivity(earlier);
  });
}

/**
 * Changes the caller's own comment.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `not_author`; PRECONDITION_FAILED `quota_exceeded`
 */
export function updateComment(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  { organizationId, id, body }: TaskUpdateCommentInput,
): Promise<TaskActivity> {
  return database.db.transaction().execute(async (trx) => {
    const comment = await requireComment(trx, organizationId, id);
    if (!isAuthor(principal, comment))
      throw new GroveError("FORBIDDEN", "Only the author of a comment can change it.", {
        reason: "not_author",
      });
    await quotas.take(trx, "commentBytes", organizationId, Buffer.byteLength(body));
    const row = await trx
      .updateTable("task_activity")
      .set({ body, edited_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, organizationId, comment.task_id);
    return toActivity(row);
  });
}

/**
 * Deletes a comment, for its author and for admins of the organization.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `not_author`
 */
export function deleteComment(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, id }: TaskDeleteCommentInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const comment = await requireComment(trx, organizationId, id);
    const isAdmin = isAtLeast(principal.memberships.get(organizationId), "admin");
    if (!isAuthor(principal, comment) && !isAdmin)
      throw new GroveError("FORBIDDEN", "Only the author of a comment or an admin can delete it.", {
        reason: "not_author",
      });
    await recordAudit(trx, principal, {
      organizationId,
      action: "task.deleteComment",
      target: { type: "task", id: comment.task_id },
      metadata: { commentId: id, authorId: comment.actor_id },
    });
    await trx
      .deleteFrom("task_activity")
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .execute();
    await recordUpdate(trx, organizationId, comment.task_id);
    return { success: true as const };
  });
}

/** An API key does not count as the author of comments that its owner wrote in the console. */
const isAuthor = ({ kind, user }: UserPrincipal, comment: ActivityActor): boolean =>
  comment.actor_id === user.id && (kind !== "api_key" || comment.actor_kind === "api_key");

/** Locks a task and sets its `updated_at`. @returns its id */
async function touchTask(
  trx: Transaction<Database>,
  organizationId: string,
  reference: string,
): Promise<string> {
  const row = await trx
    .updateTable("tasks")
    .set({ updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where(whereTask(reference))
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!row) throw notFound("task", reference);
  return row.id;
}

/** A comment of a task that is not deleted, with the task locked. */
async function requireComment(trx: Transaction<Database>, organizationId: string, id: string) {
  const comment = await findComment(trx, organizationId, id);
  if (!comment) throw notFound("comment", id);
  await touchTask(trx, organizationId, comment.task_id);
  return comment;
}

const findComment = (trx: Transaction<Database>, organizationId: string, id: string) =>
  trx
    .selectFrom("task_activity")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("kind", "=", "comment")
    .executeTakeFirst();

async function recordUpdate(
  trx: Transaction<Database>,
  organizationId: string,
  taskId: string,
): Promise<void> {
  const task = await readTask(trx, organizationId, taskId);
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
}
