import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, page, text, timestamp } from "../values";
import { taskReference } from "./task";

/** The most characters of a comment. */
export const MAX_COMMENT = 20_000;

/**
 * The fields whose changes are recorded. A change of `description` is recorded without the texts. `mergedInto` is not a
 * field of a task: a pull request was merged from the branch `from` into the branch `to` without completing the task.
 */
export const recordedField = z.enum([
  "title",
  "description",
  "status",
  "priority",
  "assigneeId",
  "projectId",
  "labels",
  "dueDate",
  "estimate",
  "branch",
  "prUrl",
  "mergedInto",
]);
export type RecordedField = z.infer<typeof recordedField>;

const recordedValue = z.union([z.string(), z.number(), z.array(z.string()), z.null()]);
export const taskFieldChange = z.object({ from: recordedValue, to: recordedValue });
export type TaskFieldChange = z.infer<typeof taskFieldChange>;

/** The kind of an author: a person, an agent or program with an API key, or a connected service. */
export const activityActorKind = z.enum(["user", "api_key", "integration"]);
export type ActivityActorKind = z.infer<typeof activityActorKind>;

/** An entry of a task's history: a comment, or changes of its fields. */
export const taskActivity = z.object({
  id,
  taskId: id,
  kind: z.enum(["comment", "change"]),
  actorKind: activityActorKind,
  /** The person, or the owner of the API key; null for an integration and for a deleted user. */
  actorId: id.nullable(),
  /** The comment, in Markdown; null for changes. */
  body: z.string().nullable(),
  /** By field; null for a comment. Changes by one actor within five minutes are one entry. */
  changes: z.partialRecord(recordedField, taskFieldChange).nullable(),
  createdAt: timestamp,
  /** When the comment was last edited; null if it never was. */
  editedAt: timestamp.nullable(),
});
export type TaskActivity = z.infer<typeof taskActivity>;

export const taskListActivityInput = z.object({ ...organizationScope, id: taskReference, ...page });
export type TaskListActivityInput = z.infer<typeof taskListActivityInput>;

const body = text(MAX_COMMENT)
  .min(1)
  .refine((value) => value.trim() !== "", "must not be empty");

export const taskAddCommentInput = z.strictObject({
  ...organizationScope,
  id: taskReference,
  body,
  /** Chosen by the caller. A repeated call with the same id adds no second comment. */
  commentId: id.optional(),
});
export type TaskAddCommentInput = z.infer<typeof taskAddCommentInput>;

/** `id` is the comment's. */
export const taskUpdateCommentInput = z.strictObject({ ...organizationScope, id, body });
export type TaskUpdateCommentInput = z.infer<typeof taskUpdateCommentInput>;
export const taskDeleteCommentInput = z.strictObject({ ...organizationScope, id });
export type TaskDeleteCommentInput = z.infer<typeof taskDeleteCommentInput>;
