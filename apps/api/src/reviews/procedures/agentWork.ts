import {
  agentAnswerCommentInput,
  agentFinishWorkInput,
  agentListReviewCommentsInput,
  change,
  openReviewComment,
  reviewComment,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { requireActingAgent } from "../../agentSessions/actingAgent";
import { finishChange } from "../../changes/finish";
import { output } from "../../trpc/output";
import { deviceProcedure } from "../../trpc/procedures";
import { answerComment } from "../answer";
import { listOpenComments } from "../openComments";

/**
 * Calls of a device for the agent of a session, which uses `grove-device agent` and has no key of its own. The agent
 * acts in the session's workspace with the rights of the person who started the session. NOT_FOUND for a session that
 * is not the device's; PRECONDITION_FAILED `session_ended`, `requester_revoked`. They belong to the router `agent`.
 */
export const agentWorkProcedures = {
  /** Comments of reviews that were sent and are not resolved, oldest first. */
  listReviewComments: deviceProcedure(agentListReviewCommentsInput)
    .output(output(z.array(openReviewComment)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      return listOpenComments(db, await requireActingAgent(db, ctx.principal, input.sessionId));
    }),

  /** Answers a comment on the session's workspace, as `workspace.review.answer` does. */
  answerComment: deviceProcedure(agentAnswerCommentInput)
    .meta({ guard: "device", needsNoTurn: true })
    .output(output(reviewComment))
    .mutation(async ({ ctx, input: { sessionId, ...answer }, signal }) => {
      const { db } = ctx.services.database;
      const { organizationId, workspaceId, requester } = await requireActingAgent(
        db,
        ctx.principal,
        sessionId,
      );
      const own = { ...answer, organizationId, onlyIn: workspaceId };
      return answerComment(ctx.services, requester, own, signal);
    }),

  /** Records that the agent has finished its work in the session's workspace, as `workspace.change.finish` does. */
  finishWork: deviceProcedure(agentFinishWorkInput)
    .output(output(change))
    .mutation(async ({ ctx, input: { sessionId, ...work } }) => {
      const { db } = ctx.services.database;
      const { organizationId, workspaceId, requester } = await requireActingAgent(
        db,
        ctx.principal,
        sessionId,
      );
      const finished = await finishChange(db, requester, { organizationId, workspaceId, ...work });
      ctx.services.live.hint(organizationId);
      return finished;
    }),
} satisfies TRPCRouterRecord;
