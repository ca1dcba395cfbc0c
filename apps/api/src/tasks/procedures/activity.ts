import {
  success,
  taskActivity,
  taskAddCommentInput,
  taskDeleteCommentInput,
  taskListActivityInput,
  taskUpdateCommentInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { addComment, deleteComment, updateComment } from "../comments";
import { listActivity } from "../listActivity";

/** The history of a task: its comments, and the changes of its fields. */
export const activityProcedures = {
  /** A task's comments and changes, newest first. NOT_FOUND for a deleted task. */
  listActivity: memberProcedure(taskListActivityInput)
    .output(output(z.array(taskActivity)))
    .query(({ ctx, input }) => listActivity(ctx.services, input)),

  /**
   * Adds a comment in Markdown. With `commentId`, a repeated call adds no second one; CONFLICT `id_taken` if that id is
   * another comment's. NOT_FOUND for the task; PRECONDITION_FAILED `quota_exceeded`.
   */
  addComment: memberProcedure(taskAddCommentInput)
    .output(output(taskActivity))
    .mutation(({ ctx, input }) => addComment(ctx.services, ctx.principal, input)),

  /** Changes a comment, for its author alone: FORBIDDEN `not_author`. An API key changes only comments of API keys. */
  updateComment: memberProcedure(taskUpdateCommentInput)
    .output(output(taskActivity))
    .mutation(({ ctx, input }) => updateComment(ctx.services, ctx.principal, input)),

  /** Deletes a comment, for its author and for admins: FORBIDDEN `not_author`. */
  deleteComment: memberProcedure(taskDeleteCommentInput)
    .output(output(success))
    .mutation(({ ctx, input }) => deleteComment(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
