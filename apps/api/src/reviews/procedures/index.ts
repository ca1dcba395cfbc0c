import {
  reviewAnswerInput,
  reviewComment,
  reviewDiscardInput,
  reviewList,
  reviewListInput,
  reviewMark,
  reviewMarkInput,
  reviewRound,
  reviewSaveInput,
  reviewSendInput,
  reviewSettleInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { answerComment } from "../answer";
import { discardDraft, saveDraft, setResolved } from "../comments";
import { listReview } from "../list";
import { markSeen } from "../mark";
import { sendRound } from "../sendRound";

export { agentWorkProcedures } from "./agentWork";

/**
 * Review comments on a change, a file or lines of it. The API keeps people's words and where the lines are, never the
 * lines, which only the device has. For users who may use the change's device; PRECONDITION_FAILED
 * `workspace_not_on_device` without one.
 */
export const reviewRouter = {
  /**
   * All comments of a change, oldest first, its rounds, and what the caller has marked as seen. Drafts only for their
   * author. The device's tool `resolve_anchors` finds where the files and lines are now.
   */
  list: memberProcedure(reviewListInput)
    .output(output(reviewList))
    .query(({ ctx, input }) => listReview(ctx.services.database.db, ctx.principal, input)),

  /**
   * Creates a draft with an id that the client makes, or edits it. Its anchor has `from` and `to` for lines, neither
   * for a whole file, and only `point` for the whole change. A change has at most 500 comments: PRECONDITION_FAILED
   * `quota_exceeded`. CONFLICT `already_sent`, `id_taken`.
   */
  save: memberProcedure(reviewSaveInput)
    .output(output(reviewComment))
    .mutation(({ ctx, input }) => saveDraft(ctx.services.database.db, ctx.principal, input)),

  /**
   * Records which version of a change the caller has seen, as the commit of a restore point of its workspace. The
   * device keeps that version until the caller marks another one. A mark is kept for 90 days. PRECONDITION_FAILED
   * `point_gone`.
   */
  mark: waitingMemberProcedure(reviewMarkInput)
    .output(output(reviewMark))
    .mutation(({ ctx, input, signal }) => markSeen(ctx.services, ctx.principal, input, signal)),

  /** Deletes a draft of the caller. CONFLICT `already_sent`. */
  discard: memberProcedure(reviewDiscardInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await discardDraft(ctx.services.database.db, ctx.principal, input);
      return { success: true };
    }),

  /**
   * Sends comments to a running agent session of the change's workspace, as one prompt with the lines.
   * Without `ids`, sends all drafts of the caller. Each comment is sent once: CONFLICT `already_sent`, with the name
   * of the person who sent it.
   * With `again`, comments are sent once more whose round is `failed` or `unknown`. The agent must be idle or done;
   * otherwise the round is `failed` with `agent_working` or `agent_needs_input` as its reason, and nothing was typed.
   * Waits up to 20 seconds for the delivery. PRECONDITION_FAILED `nothing_to_send`, `session_ended`.
   */
  send: waitingMemberProcedure(reviewSendInput)
    .output(output(reviewRound))
    .mutation(({ ctx, input, signal }) => sendRound(ctx.services, ctx.principal, input, signal)),

  /**
   * Records an agent's answer to a comment that was sent: it fixed it, declines it, or asks a question. The comment
   * stays open until a person resolves it. For signed-in users. An API key's user must have started an agent session in
   * the workspace; otherwise FORBIDDEN `not_your_change`. PRECONDITION_FAILED `comment_not_sent`; `commit_unknown` if
   * the device does not find the commit in the history of what is checked out. CONFLICT `sent_again` if a person has
   * sent the comment again while the device searched.
   */
  answer: waitingMemberProcedure(reviewAnswerInput)
    .output(output(reviewComment))
    .mutation(({ ctx, input, signal }) => answerComment(ctx.services, ctx.principal, input, signal)),

  /**
   * Resolves a comment that was sent, or opens it again. If it is open already, `resolved: false` rejects the agent's
   * answer, and removes it.
   */
  settle: memberProcedure(reviewSettleInput)
    .output(output(reviewComment))
    .mutation(({ ctx, input }) => setResolved(ctx.services.database.db, ctx.principal, input)),
} satisfies TRPCRouterRecord;
