import * as z from "zod";
import { MINUTE_MS, RESULT_KEPT_MS } from "../durations";
import {
  findCommitParams,
  foundCommit,
  markSeenParams,
  resolveAnchorsParams,
  resolvedAnchors,
} from "../reviews/review";
import {
  listedPoints,
  listPointsParams,
  madePoint,
  makePointParams,
  restoredPoint,
  restorePointParams,
} from "../workspaces/restorePoints";
import { gateRun, runGateParams } from "./gate";
import {
  changeStatus,
  changeStatusParams,
  committedWorkspace,
  commitWorkspaceParams,
  mergedHere,
  mergeHereParams,
  pushBranchParams,
  pushedBranch,
  updatedFromBase,
  updateFromBaseParams,
} from "./workspaceChange";

/** The tools that save and review a workspace's work, and bring it to its remote and base; see `deviceTools`. */
export const changeTools = {
  /** Finds where the files and lines of a workspace's review comments are now. */
  resolve_anchors: {
    params: resolveAnchorsParams,
    result: resolvedAnchors,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Finds a commit in the history of what is checked out in a workspace. */
  find_commit: {
    params: findCommitParams,
    result: foundCommit,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Saves the files of a worktree, without those that git ignores, as a commit that no branch has. */
  make_point: {
    params: makePointParams,
    result: madePoint,
    timeoutMs: 5 * MINUTE_MS,
  },
  /** Keeps a restore point for as long as the caller marks no other one of the workspace as seen. */
  mark_seen: {
    params: markSeenParams,
    result: z.strictObject({ success: z.literal(true) }),
    timeoutMs: MINUTE_MS,
  },
  list_points: {
    params: listPointsParams,
    result: listedPoints,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Gives a worktree the files of a point, after saving its current ones as another point. */
  restore_point: {
    params: restorePointParams,
    result: restoredPoint,
    timeoutMs: 10 * MINUTE_MS,
  },
  /** How far the work of a workspace has come: uncommitted files, commits ahead of and behind its base, conflicts. */
  get_change_status: {
    params: changeStatusParams,
    result: changeStatus,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Runs `.grove/check` of the base on the work of a workspace, in a worktree that is removed afterwards. */
  run_gate: {
    params: runGateParams,
    result: gateRun,
    timeoutMs: 130 * MINUTE_MS,
  },
  /** Commits all files of a worktree that git does not ignore, with the machine's git configuration. */
  commit_workspace: {
    params: commitWorkspaceParams,
    result: committedWorkspace,
    timeoutMs: 70 * MINUTE_MS,
  },
  /** Pushes a workspace's branch to the project's remote, with the machine's git credentials. */
  push_branch: {
    params: pushBranchParams,
    result: pushedBranch,
    timeoutMs: 70 * MINUTE_MS,
  },
  /** Merges the base into a workspace's branch, or rebases the branch onto it. With conflicts nothing changes. */
  update_from_base: {
    params: updateFromBaseParams,
    result: updatedFromBase,
    timeoutMs: 10 * MINUTE_MS,
  },
  /** Merges a workspace's commit into its base branch on the device. Only for people who are signed in. */
  merge_here: {
    params: mergeHereParams,
    result: mergedHere,
    timeoutMs: 10 * MINUTE_MS,
  },
} as const;
