import {
  changeApproveInput,
  changeCancelMergeInput,
  changeCheckLogInput,
  changeMarkReadyInput,
  changeMergeInput,
  changeOpenPullInput,
  changePullStatusInput,
  checkLog,
  pullStatus,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { merge } from "../merges/merge";
import { cancelMerge } from "../merges/requests";
import { approve, unapprove } from "../pulls/approve";
import { checkLogOf } from "../pulls/checkLog";
import { markReady } from "../pulls/markReady";
import { openPull } from "../pulls/open";
import { pullStatusOf } from "../pulls/readPull";

/**
 * The pull request of a change at the project's code host, GitHub or GitLab. Each procedure may fail as those of
 * `integration.codehost` do, and with PRECONDITION_FAILED `no_connection` if the organization is not connected to the
 * project's code host.
 */
export const pullProcedures = {
  /**
   * Opens the pull request of a change's branch, which is pushed. If there is one of the same branches, also one that
   * was opened elsewhere, it is returned instead. For users who may use the workspace's device; for admins once the
   * workspace was deleted. PRECONDITION_FAILED, with nothing opened: `not_pushed`, `base_is_head`, `no_difference`,
   * `secret_in_text` if the title or body contains the value of one of the project's secrets, or a credential of a
   * known form.
   */
  openPull: waitingMemberProcedure(changeOpenPullInput)
    .output(output(pullStatus))
    .mutation(({ ctx, input, signal }) => openPull(ctx.services, ctx.principal, input, signal)),

  /**
   * Marks the pull request of a change as ready for review. Does nothing if it is not a draft. For users who may use
   * the workspace's device; for admins once the workspace was deleted. PRECONDITION_FAILED `no_pull_request`.
   */
  markReady: memberProcedure(changeMarkReadyInput)
    .output(output(pullStatus))
    .mutation(({ ctx, input }) => markReady(ctx.services, ctx.principal, input)),

  /**
   * The pull request of a change with its checks and blocks, read from the code host, at most 3 s ago; null if there is
   * none. An unknown state of a check or block is returned unchanged, and blocks the merge.
   */
  pullStatus: memberProcedure(changePullStatusInput)
    .output(output(pullStatus.nullable()))
    .query(({ ctx, input }) => pullStatusOf(ctx.services, input)),

  /**
   * The end of the log of a check of the pull request, read from the code host: of its last failed step, if the log
   * shows one. Values of the project's secrets and credentials of known forms are redacted. Nothing of it is stored.
   * Others write to a log, so an agent must take it as data. For users who may use the workspace's device; for admins
   * once the workspace was deleted. PRECONDITION_FAILED `log_gone` if the code host no longer has the log or the check;
   * `log_elsewhere` if another system has the log, or if it is longer than 25 MB.
   */
  checkLog: memberProcedure(changeCheckLogInput)
    .output(output(checkLog))
    .query(({ ctx, input }) => checkLogOf(ctx.services, ctx.principal, input)),

  /**
   * Approves the commit `head` for the current base of the pull request. Only for people who are signed in: FORBIDDEN
   * `session_required` for an API key. CONFLICT `head_moved` if the pull request is at another commit;
   * PRECONDITION_FAILED `no_pull_request`, `gate_failed` if the check script failed for `head`.
   */
  approve: memberSessionProcedure(changeApproveInput)
    .output(output(pullStatus))
    .mutation(({ ctx, input }) => approve(ctx.services, ctx.principal, input)),

  /** Withdraws the caller's approval of the commit `head`. Only for people who are signed in. */
  unapprove: memberSessionProcedure(changeApproveInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await unapprove(ctx.services, ctx.principal, input);
      return { success: true } as const;
    }),

  /**
   * Merges exactly the commit `head`, which a person has approved; one's own approval counts. Only for people who are
   * signed in: FORBIDDEN `session_required` for an API key. With nothing merged: CONFLICT `head_moved`,
   * `already_merged`; PRECONDITION_FAILED `gate_failed`, `not_approved`, `queue_required`, `method_not_allowed`,
   * `blocked` with the code host's `blocks`, `no_pull_request`. BAD_GATEWAY `outcome_unknown`: it may be merged, read
   * `pullStatus`.
   *
   * Where the base has a merge queue (GitHub) or merge trains (GitLab), the only method is `queue`: the commit is added
   * to it, and `pullStatus` has that as `mergeIntent`, until the queue has merged it or removed it.
   *
   * With `when: "green"`, running checks do not refuse it: Grove merges the commit once they have passed, for at most
   * 24 hours, and `pullStatus` has that as `mergeIntent`. It ends without a merge if the commit, the base, the approval
   * or the caller's access changes, if the check script fails, and with any other block. A change has one such merge:
   * the caller's second request replaces the first; CONFLICT `already_asked` with the `name` of another member,
   * `too_late` while Grove or the queue merges.
   */
  merge: memberSessionProcedure(changeMergeInput)
    .output(output(pullStatus))
    .mutation(({ ctx, input }) => merge(ctx.services, ctx.principal, input)),

  /**
   * Cancels the merge that waits for the checks of the pull request, even if another member asked for it. Does nothing
   * if none waits. Only for people who are signed in. CONFLICT `too_late` once it is in the queue, or Grove merges it,
   * or has.
   */
  cancelMerge: memberSessionProcedure(changeCancelMergeInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await cancelMerge(ctx.services, ctx.principal, input);
      return { success: true } as const;
    }),
} satisfies TRPCRouterRecord;
