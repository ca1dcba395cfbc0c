import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { branchName, commitId, id, line, text, timestamp } from "../values";
import { pullState } from "./change";
import { heldReason } from "./heldReason";

/** The state of a check. `unknown`: Grove does not know the code host's term for the state, so the check blocks. */
export const checkState = z.enum(["failed", "unknown", "running", "passed", "skipped"]);
export type CheckState = z.infer<typeof checkState>;

export const pullCheck = z.object({
  /** The code host's id of the run; null if it has none, as a status that another system reported. */
  id: z.string().nullable(),
  name: z.string(),
  state: checkState,
  /** The code host's own word for the state. */
  word: z.string(),
  url: z.string().nullable(),
  /** Whether the code host merges only once it has passed. */
  required: z.boolean(),
});
export type PullCheck = z.infer<typeof pullCheck>;

/** The checks of a commit as one: of the required ones, or of all if none is required. */
export type ChecksSummary = "none" | "running" | "failed" | "passed";

export const blockCode = z.enum([
  ...(["draft", "conflicts", "behind", "checking", "checks_running", "checks_failed"] as const),
  ...(["review_required", "changes_requested", "threads_open", "queued"] as const),
  ...(["stacked", "rules_unknown", "closed", "provider"] as const),
]);
export type BlockCode = z.infer<typeof blockCode>;

/**
 * Why a pull request cannot be merged now. `queued`: it is in the code host's queue already. `stacked`: its
 * merge would also merge the pull requests below it, which may not be approved. `detail` is the code host's own word,
 * the names of checks, or its place in the stack.
 */
export const pullBlock = z.object({ code: blockCode, detail: z.string() });
export type PullBlock = z.infer<typeof pullBlock>;

/**
 * `queue`: the code host's queue (GitHub's merge queue, GitLab's merge train) merges it, by the queue's own settings.
 * Where a base requires its queue, no other method is allowed.
 */
export const mergeMethod = z.enum(["merge", "squash", "rebase", "queue"]);
export type MergeMethod = z.infer<typeof mergeMethod>;

export const mergeable = z.enum(["yes", "no", "checking", "unknown"]);

/** Why a requested merge ended without one: a block of the pull request, or one of these. */
export const mergeEndReason = z.enum([
  ...blockCode.options,
  ...(["head_moved", "not_approved", "not_allowed", "method_not_allowed", "expired", "canceled"] as const),
  ...(["gate_failed", "replaced", "provider_refused", "dequeued"] as const),
]);
export type MergeEndReason = z.infer<typeof mergeEndReason>;

/**
 * A person's request to merge one commit once its checks have passed, or by the code host's queue. `running`: Grove
 * merges it now, or adds it to the queue. `queued`: it is in the queue. `done`: it was merged. `ended`: it was not, and
 * will not be.
 */
export const mergeIntent = z.object({
  userId: id,
  name: z.string(),
  head: z.string(),
  method: mergeMethod,
  status: z.enum(["waiting", "running", "queued", "done", "ended"]),
  reason: mergeEndReason.nullable(),
  /** The code host's own word for the reason, or the names of checks. */
  detail: z.string().nullable(),
  at: timestamp,
  expiresAt: timestamp,
});
export type MergeIntent = z.infer<typeof mergeIntent>;

/** A pull request as its code host described it just now. */
export const pullStatus = z.object({
  number: z.number().int(),
  title: z.string(),
  /** Null if the code host's address is not a valid link. */
  url: z.string().nullable(),
  state: pullState,
  /** The newest commit of its branch. */
  head: z.string(),
  /** The target branch. */
  base: z.string(),
  mergeable,
  blocks: z.array(pullBlock),
  /** The failed ones first. */
  checks: z.array(pullCheck),
  methods: z.array(mergeMethod),
  /** Review threads that are not resolved; null if unknown. */
  threadsOpen: z.number().int().nullable(),
  /** People's approvals in Grove, of the head and this base only. */
  approvals: z.array(z.object({ userId: id, name: z.string(), at: timestamp })),
  /** The last request to merge it once its checks have passed, or by the code host's queue. */
  mergeIntent: mergeIntent.nullable(),
  /** The round in which the agent got the head's failed checks: its number, and the most that the project allows. */
  checksRound: z.object({ number: z.number().int(), of: z.number().int() }).nullable(),
  /** Why a person must act on the head's failed checks; null while an agent may get them, or works on them. */
  heldReason: heldReason.nullable(),
});
export type PullStatus = z.infer<typeof pullStatus>;

const ofChange = { ...organizationScope, changeId: id };

export const changeOpenPullInput = z.strictObject({
  ...ofChange,
  title: line(255),
  body: text(60_000).default(""),
  /** By default the change's base branch, or the project's default branch. */
  base: branchName.optional(),
  draft: z.boolean().default(false),
});
export const changeMarkReadyInput = z.strictObject(ofChange);
export const changePullStatusInput = z.strictObject(ofChange);
export const changeCheckLogInput = z.strictObject({
  ...ofChange,
  checkId: line(50).describe("The `id` of a check of `pullStatus`"),
});

/** The end of a check's log, or of its failing step. */
export const checkLog = z.object({
  excerpt: z.string().describe("At most 6 KiB, without hidden characters and known secrets"),
  /** The address of the whole log; null if the code host's address is not a valid link. */
  url: z.string().nullable(),
});
export type CheckLog = z.infer<typeof checkLog>;

export const changeApproveInput = z.strictObject({ ...ofChange, head: commitId });
export const changeMergeInput = z.strictObject({
  ...ofChange,
  head: commitId.describe("The approved commit. Another one is never merged"),
  method: mergeMethod,
  when: z.enum(["now", "green"]).default("now").describe("`green`: once its checks have passed"),
});
export const changeCancelMergeInput = z.strictObject(ofChange);
