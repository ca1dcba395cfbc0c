import { listedPoints, restoredPoint, workspaceListPointsInput, workspaceUndoInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { waitingMemberProcedure } from "../../trpc/procedures";
import { listPoints, undo } from "../points";

/** Restore points: the state of a workspace's files before and after each turn of an agent. */
export const pointProcedures = {
  /**
   * The workspace's restore points, newest first, from its device, which must be online. For users who may use the
   * device. PRECONDITION_FAILED `workspace_not_on_device`.
   */
  listPoints: waitingMemberProcedure(workspaceListPointsInput)
    .output(output(listedPoints))
    .query(({ ctx, input, signal }) => listPoints(ctx.services, ctx.principal, input, signal)),

  /**
   * Gives the workspace the files of a restore point, and with `mode: "branch"` its branch the commit of that time.
   * The device first makes a point of the current files; `newPoint` brings them back. PRECONDITION_FAILED, with nothing
   * changed: `agent_working`, `point_gone`, `points_off`, `head_moved` if another commit than `expectHead` is checked
   * out, `in_the_middle` of a merge or rebase, `would_drop_pushed` commits, `files_in_the_way` that no point holds.
   */
  undo: waitingMemberProcedure(workspaceUndoInput)
    .output(output(restoredPoint))
    .mutation(({ ctx, input, signal }) => undo(ctx.services, ctx.principal, input, signal)),
} satisfies TRPCRouterRecord;
