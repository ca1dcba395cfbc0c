import { change, changeFinishInput, changeGetInput, changeListInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { finishChange } from "../finish";
import { listChanges, readChange } from "../readChanges";

/** Changes: the branches that workspaces were made for, with their pull requests. */
export const recordProcedures = {
  /** Changes, newest first. `state` is that of the newest pull request. */
  list: memberProcedure(changeListInput)
    .output(output(z.array(change)))
    .query(({ ctx, input }) => listChanges(ctx.services, ctx.principal, input)),

  /** One change of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(changeGetInput)
    .output(output(change))
    .query(({ ctx, input }) => readChange(ctx.services, input)),

  /**
   * Records that an agent has finished its work in a workspace, with a summary and the tests it has run. The next turn
   * of an agent there, or a review round, clears that. For users who may use the device, if they are signed in. An API
   * key's user must have started an agent session in the workspace; otherwise FORBIDDEN `not_your_change`. With the
   * project's `gateOnFinish`, the repository's check script starts, or `gateSkipped` has the reason why not.
   */
  finish: memberProcedure(changeFinishInput)
    .output(output(change))
    .mutation(({ ctx, input }) => finishChange(ctx.services.database.db, ctx.principal, input)),
} satisfies TRPCRouterRecord;
