import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { commitId, id, line, text } from "../values";
import { skippedFile } from "../workspaces/restorePoints";

/* Inputs and results of the tools and procedures that bring the work of a workspace to its branch, remote and base. */

/** The most characters of a commit message. */
export const MAX_COMMIT_MESSAGE = 10_000;
const message = text(MAX_COMMIT_MESSAGE).refine((value) => value.trim() !== "", "must not be empty");

const commitFields = {
  workspaceId: id,
  message,
  expectTree: commitId
    .optional()
    .describe("The tree that get_change_status returned; other files are refused"),
};
export const commitWorkspaceParams = z.strictObject(commitFields);

/** Names of hooks that the device's owner does not allow to run. */
const skippedHooks = z.array(z.string());

export const committedWorkspace = z.strictObject({
  commit: z.string(),
  branch: z.string(),
  /** How many files the commit changes. */
  files: z.number().int(),
  skippedHooks,
  /** Files that stay uncommitted. */
  skipped: z.array(skippedFile),
});

const pushFields = {
  workspaceId: id,
  expectHead: commitId.describe("The commit that is checked out, as the caller knows it"),
  expectRemote: commitId
    .optional()
    .describe("With force: lease, the remote branch's commit, which an earlier push of Grove must have made"),
  force: z.enum(["none", "lease"]).default("none"),
};
export const pushBranchParams = z.strictObject(pushFields);

export const pushedBranch = z.strictObject({
  branch: z.string(),
  remote: z.string(),
  head: z.string(),
  skippedHooks,
});

const updateFields = {
  workspaceId: id,
  how: z.enum(["merge", "rebase"]).default("merge"),
  expectHead: pushFields.expectHead,
};
export const updateFromBaseParams = z.strictObject(updateFields);

export const updatedFromBase = z.strictObject({
  head: z.string(),
  /** The base's commit, which the branch now contains. */
  base: z.string(),
});

const mergeFields = {
  workspaceId: id,
  head: commitId.describe("The commit to merge, which must be checked out in the workspace"),
  expectBase: commitId.describe("The base branch's commit, as the caller knows it"),
  message: message.optional().describe("Makes a merge commit even if a fast-forward is possible"),
};
export const mergeHereParams = z.strictObject(mergeFields);

export const mergedHere = z.strictObject({
  /** The base branch's commit afterwards. */
  commit: z.string(),
  /** The base branch. */
  base: z.string(),
});

export const changeStatusParams = z.strictObject({ workspaceId: id });

/** How far the work of a workspace has come. */
export const changeStatus = z.strictObject({
  /** Null with a detached HEAD. */
  branch: z.string().nullable(),
  /** The base branch, or a commit. */
  base: z.string(),
  /** The local base branch's commit, into which merge_here merges; null if there is none. */
  baseCommit: z.string().nullable(),
  /** Null before the first commit. */
  head: z.string().nullable(),
  /** The last commit that the worktree shares with its base; null if that is unknown. */
  forkCommit: z.string().nullable(),
  /** The tree that a commit would have; null with unresolved conflicts. */
  tree: z.string().nullable(),
  /** Commits ahead of and behind the base; null if the base was deleted. */
  ahead: z.number().int().nullable(),
  behind: z.number().int().nullable(),
  /** The remote that a push would go to; null if no remote is the project's. */
  remote: z.string().nullable(),
  /** The branch's commit at that remote, as last fetched or pushed. */
  remoteHead: z.string().nullable(),
  /** How many files a commit would change. */
  uncommittedFiles: z.number().int(),
  /** The files in which the last commit and the base conflict. */
  conflictsWithBase: z.array(z.string()),
  /** The operation of git that has been begun and not ended. */
  inTheMiddle: z.string().nullable(),
  suggestedMessage: z.string(),
});
export type ChangeStatus = z.infer<typeof changeStatus>;

const acting = {
  ...organizationScope,
  /** With the same key, a repeated call within 24 hours does nothing again. */
  idempotencyKey: line(200).optional(),
};
export const changeStatusInput = z.strictObject({ ...organizationScope, workspaceId: id });
export const changeRunGateInput = z.strictObject({ ...acting, workspaceId: id });
export const changeCommitInput = z.strictObject({ ...acting, ...commitFields });
export const changePushInput = z.strictObject({ ...acting, ...pushFields });
export const changeUpdateInput = z.strictObject({ ...acting, ...updateFields });
export const changeMergeHereInput = z.strictObject({ ...acting, ...mergeFields });
