import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { commitId, id, line, shortCommitId, text, timestamp } from "../values";
import { comparedWith } from "../workspaces/workspaceDiff";
import { MAX_ANCHORS, MAX_ANSWER, MAX_COMMENT, MAX_ROUND_COMMENTS, MAX_ROUND_FAILURES } from "./reviewLimits";

/* Comments on a change, a file or lines of it, and the rounds in which an agent gets them. */

const lineNumber = z.number().int().min(1).max(10_000_000);

const ANCHOR_KEYS =
  "must have point, path, side, blob, from and to for lines; no from and to for a file; only point for the change";
const changeAnchor = z.strictObject(
  { point: commitId.describe("The commit: a restore point, or for the side before, the one compared with") },
  // Zod reports this object's keys, not the union's error, if only the point is valid.
  ANCHOR_KEYS,
);
const fileAnchor = changeAnchor.extend({
  path: text(4_096).min(1).describe("The file's path in that commit"),
  side: z.enum(["before", "after"]),
  blob: commitId.describe("The file's content in that commit"),
});
const lineAnchor = fileAnchor.extend({ from: lineNumber, to: lineNumber });

/**
 * The subject of a comment, in a commit that a person has seen: lines of a file, the whole file, or the whole change.
 * It never holds the lines themselves.
 */
export const anchor = z
  .union([lineAnchor, fileAnchor, changeAnchor], ANCHOR_KEYS)
  .refine((of) => !("from" in of) || of.from <= of.to, "from must not be after to");
export type Anchor = z.infer<typeof anchor>;

/**
 * Where the subject of an anchor is now. `here`: unchanged. `moved`: unchanged at another place or path. `outdated`:
 * changed, with the line nearest to them. `gone`: the file was deleted. `unknown`: git no longer has the content. A
 * file is only `here`, `moved` to another path, `gone` or `unknown`; the whole change is always `here`.
 */
export const anchorPlace = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("here") }),
  z.strictObject({
    status: z.literal("moved"),
    path: z.string(),
    /** Only for lines, as `to`. */
    from: z.number().int().optional(),
    to: z.number().int().optional(),
  }),
  z.strictObject({ status: z.literal("outdated"), path: z.string(), nearest: z.number().int() }),
  z.strictObject({ status: z.literal("gone") }),
  z.strictObject({ status: z.literal("unknown") }),
]);
export type AnchorPlace = z.infer<typeof anchorPlace>;

export const resolveAnchorsParams = z.strictObject({
  workspaceId: id,
  anchors: z.array(anchor).min(1).max(MAX_ANCHORS),
  against: comparedWith.describe("As for get_workspace_diff: where the side before is searched"),
});
/** The places, in the order of the anchors. */
export const resolvedAnchors = z.strictObject({ places: z.array(anchorPlace) });

export const markSeenParams = z.strictObject({
  workspaceId: id,
  point: commitId.describe("A restore point of the workspace, with the files that the person has seen"),
});

const body = text(MAX_COMMENT).refine((value) => value.trim() !== "", "must not be empty");

/** A round of comments as the device gets it. The device adds the lines. */
export const reviewRoundContent = z.strictObject({
  id,
  number: z.number().int().min(1),
  change: text(1_000).min(1).describe("The branch"),
  author: line(200),
  comments: z.array(z.strictObject({ id, anchor, body })).min(1).max(MAX_ROUND_COMMENTS),
});
export type ReviewRoundContent = z.infer<typeof reviewRoundContent>;

/** The failed checks of a commit, or its failed gate, as the device gets them. */
export const failureRoundContent = z.strictObject({
  id,
  /** `checks`: those of a code host. `gate`: the repository's check script. */
  kind: z.enum(["checks", "gate"]),
  /** The number of the round among the change's rounds of both kinds. */
  number: z.number().int().min(1),
  of: z.number().int().min(1),
  change: text(1_000).min(1).describe("The branch"),
  head: text(100).min(1),
  failed: z
    .array(z.strictObject({ name: text(500), url: text(2_000).nullable(), excerpt: text(8_192).nullable() }))
    .min(1)
    .max(MAX_ROUND_FAILURES),
  /** How many others failed. */
  more: z.number().int().min(0),
});
export type FailureRoundContent = z.infer<typeof failureRoundContent>;

export const reviewRoundKind = z.enum(["review", "checks", "gate"]);
export type ReviewRoundKind = z.infer<typeof reviewRoundKind>;

export const sentReviewRound = z.strictObject({
  /** The size of the prompt. */
  bytes: z.number().int(),
});

export const reviewCommentState = z.enum(["draft", "sent", "resolved"]);
export type ReviewCommentState = z.infer<typeof reviewCommentState>;

/**
 * Whether an agent got a round. `unknown`: its device stopped before it reported the outcome, so the agent may or may
 * not have the comments.
 */
export const reviewRoundStatus = z.enum(["queued", "delivered", "failed", "unknown"]);
export type ReviewRoundStatus = z.infer<typeof reviewRoundStatus>;

export const commentAnswerState = z.enum(["fixed", "declined", "question"]);
export type CommentAnswerState = z.infer<typeof commentAnswerState>;

/** The newest answer of an agent to a comment. The comment stays open until a person resolves it. */
export const latestAnswer = z.object({
  state: commentAnswerState,
  /** The commit that fixes it, which the device has found in the workspace's history. */
  commit: z.string().nullable(),
  body: z.string(),
  at: timestamp,
});
export type LatestAnswer = z.infer<typeof latestAnswer>;

export const findCommitParams = z.strictObject({ workspaceId: id, commit: shortCommitId });
/** The full id. */
export const foundCommit = z.strictObject({ commit: z.string() });

export const reviewComment = z.object({
  id,
  changeId: id,
  /** Null once the account was deleted. */
  authorId: id.nullable(),
  body: z.string(),
  anchor,
  state: reviewCommentState,
  /** The newest round with the comment; null for a draft. */
  roundId: id.nullable(),
  /** The agent's newest answer (a claim, as only a person resolves comments); null without one, or if rejected. */
  claim: latestAnswer.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ReviewComment = z.infer<typeof reviewComment>;

export const reviewRound = z.object({
  id,
  /** Counts the rounds of a change. */
  number: z.number().int(),
  /** `checks`: the failed checks of a commit; `gate`: the failed check script. Grove sends both automatically. */
  kind: reviewRoundKind,
  /** Null for failed checks and gates, and once the account was deleted. */
  byUserId: id.nullable(),
  sessionId: id,
  status: reviewRoundStatus,
  /** Why it failed; null otherwise. */
  reason: z.string().nullable(),
  createdAt: timestamp,
});
export type ReviewRound = z.infer<typeof reviewRound>;

/** The version of a change that a person has seen last. */
export const reviewMark = z.object({
  /** The restore point with its files. */
  point: z.string(),
  markedAt: timestamp,
});
export type ReviewMark = z.infer<typeof reviewMark>;

export const reviewList = z.object({
  comments: z.array(reviewComment),
  rounds: z.array(reviewRound),
  /** The caller's own; null without one. */
  mark: reviewMark.nullable(),
});

const ofChange = { ...organizationScope, changeId: id };
export const reviewListInput = z.strictObject(ofChange);
export const reviewMarkInput = z.strictObject({ ...ofChange, point: commitId });
export const reviewSaveInput = z.strictObject({
  ...ofChange,
  /** Made by the client. The same id edits the draft. */
  id,
  anchor,
  body,
});
export const reviewDiscardInput = z.strictObject({ ...organizationScope, id });
export const reviewSendInput = z.strictObject({
  ...ofChange,
  /** All drafts of the caller if omitted. */
  ids: z.array(id).min(1).max(MAX_ROUND_COMMENTS).optional(),
  sessionId: id,
  /** Also sends comments again of a round that failed or whose outcome is unknown. */
  again: z.boolean().default(false),
});
export const reviewSettleInput = z.strictObject({ ...organizationScope, id, resolved: z.boolean() });

/** An agent's answer to the comment with this id. */
export const commentAnswer = z
  .strictObject({
    id,
    state: commentAnswerState,
    /** Only with `fixed`. */
    commit: shortCommitId.optional(),
    /** May be empty only with `fixed`. */
    body: text(MAX_ANSWER).default(""),
  })
  .refine(({ state, body }) => state === "fixed" || body.trim() !== "", {
    path: ["body"],
    message: "must not be empty",
  })
  .refine(({ state, commit }) => state === "fixed" || commit === undefined, {
    path: ["commit"],
    message: "is only for a comment that is fixed",
  });
export type CommentAnswer = z.infer<typeof commentAnswer>;
export const reviewAnswerInput = commentAnswer.safeExtend(organizationScope);
