import {
  changeCommitInput,
  changeMergeHereInput,
  changePushInput,
  changeRunGateInput,
  changeStatus,
  changeStatusInput,
  changeUpdateInput,
  committedWorkspace,
  gateRun,
  mergedHere,
  pushedBranch,
  updatedFromBase,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { waitingMemberProcedure, waitingMemberSessionProcedure } from "../../trpc/procedures";
import { changeStatus as readStatus, runChangeTool } from "../actOnDevice";

/**
 * Brings the work of a workspace from its files to its branch, its remote and its base, on its device and with the git
 * credentials there.
 */
export const actionProcedures = {
  /**
   * Uncommitted files, commits ahead of and behind the base, conflicts and a suggested message, from the workspace's
   * device, which must be online. For users who may use the device. PRECONDITION_FAILED `workspace_not_on_device`.
   */
  status: waitingMemberProcedure(changeStatusInput)
    .output(output(changeStatus))
    .query(({ ctx, input, signal }) => readStatus(ctx.services, ctx.principal, input, signal)),

  /**
   * Runs the repository's check script, `.grove/check` of the base, on the current work. The device runs it in a
   * worktree of its own, where `.grove/setup` runs first, and only if its owner allows scripts of repositories. The
   * change's `gate` reports its state, even if the script takes longer than this call waits (TIMEOUT `command_pending`
   * with the command's id). The output is only in the command's result.
   */
  runGate: waitingMemberProcedure(changeRunGateInput)
    .output(output(gateRun))
    .mutation(({ ctx, input, signal }) =>
      runChangeTool(ctx.services, ctx.principal, "run_gate", input, signal),
    ),

  /**
   * Commits all files that git does not ignore. The device makes a restore point first. Hooks run only if the device's
   * owner allows scripts of repositories; `skippedHooks` names the others. PRECONDITION_FAILED, with nothing committed:
   * `tree_changed` if the files are not those of `expectTree`, `nothing_to_commit`, `conflicts` that are unresolved,
   * `identity_missing`, `signing_failed`, `hook_failed` with the hook's output, `head_moved`, `in_the_middle`,
   * `branch_not_own`.
   */
  commit: waitingMemberProcedure(changeCommitInput)
    .output(output(committedWorkspace))
    .mutation(({ ctx, input, signal }) =>
      runChangeTool(ctx.services, ctx.principal, "commit_workspace", input, signal),
    ),

  /**
   * Pushes the commit that is checked out to the workspace's own branch at the project's remote. With `force: "lease"`
   * it replaces only what Grove itself has pushed. PRECONDITION_FAILED, with nothing pushed: `head_moved`,
   * `branch_not_own`, `protected_branch` for the default branch and bases, `non_fast_forward`, `lease_broken`,
   * `auth_failed`, `remote_mismatch`, `remote_refused` with the remote's output, `hook_failed`, `lfs_missing`,
   * `in_the_middle`.
   */
  push: waitingMemberProcedure(changePushInput)
    .output(output(pushedBranch))
    .mutation(({ ctx, input, signal }) =>
      runChangeTool(ctx.services, ctx.principal, "push_branch", input, signal),
    ),

  /**
   * Merges the base's newest commits into the branch, or rebases the branch onto them. The device makes a restore point
   * first. PRECONDITION_FAILED, with nothing changed: `conflicts`, which `status` lists, `agent_working`,
   * `uncommitted_work`, `base_gone`, `head_moved`, `in_the_middle`, `files_in_the_way`, `branch_not_own`,
   * `identity_missing`, `signing_failed`.
   */
  update: waitingMemberProcedure(changeUpdateInput)
    .output(output(updatedFromBase))
    .mutation(({ ctx, input, signal }) =>
      runChangeTool(ctx.services, ctx.principal, "update_from_base", input, signal),
    ),

  /**
   * Merges the commit `head` into the local base branch, for repositories without a code host. Only for people who are
   * signed in: FORBIDDEN `session_required` for an API key. PRECONDITION_FAILED, with nothing changed: `head_moved` if
   * the workspace is not at `head` or the base not at `expectBase`, `conflicts`, `uncommitted_work` here or where the
   * base is checked out, `branch_checked_out` in another workspace, `base_gone`, `files_in_the_way`, `in_the_middle`,
   * `branch_not_own`, `identity_missing`, `signing_failed`.
   */
  mergeHere: waitingMemberSessionProcedure(changeMergeHereInput)
    .output(output(mergedHere))
    .mutation(({ ctx, input, signal }) =>
      runChangeTool(ctx.services, ctx.principal, "merge_here", input, signal),
    ),
} satisfies TRPCRouterRecord;
