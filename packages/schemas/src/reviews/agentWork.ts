import * as z from "zod";
import { finishedWork } from "../changes/change";
import { id } from "../values";
import { commentAnswer, reviewComment } from "./review";

/* Calls of a device for the agent of one of its sessions. */

const ofSession = { sessionId: id };
export const agentListReviewCommentsInput = z.strictObject(ofSession);
export const agentAnswerCommentInput = commentAnswer.safeExtend(ofSession);
export const agentFinishWorkInput = finishedWork.extend(ofSession);

/** A comment that a person has sent and not resolved. */
export const openReviewComment = reviewComment
  .pick({ id: true, anchor: true, body: true, claim: true })
  .extend({
    /** The author's name; null for a former member. */
    author: z.string().nullable(),
  });
export type OpenReviewComment = z.infer<typeof openReviewComment>;
