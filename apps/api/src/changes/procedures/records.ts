import { change, changeFinishInput, changeGetInput, changeListInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { finishChange } from "../finish";
import { changeNotFound, selectChanges, toChange } from "../row";

/** Changes: the branches that workspaces were made for, with their pull requests. */
export const recordProcedures = {
  /** Changes, newest first. `state` is that of the newest pull request. */
  list: memberProcedure(changeListInput)
    .output(output(z.array(change)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = selectChanges(db, input.organizationId);
      if (input.taskId) query = query.where("changes.task_id", "=", input.taskId);
      if (input.workspaceId) query = query.where("changes.workspace_id", "=", input.workspaceId);
      if (input.projectId) query = query.where("changes.project_id", "=", input.projectId);
      if (input.state) query = query.where("pull_requests.state", "=", input.state);
      return (await newestFirst(db, "changes", query, input)).map(toChange);
    }),

  /** One change of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(changeGetInput)
    .output(output(change))
    .query(async ({ ctx, input }) => {
      const row = await selectChanges(ctx.services.database.db, input.organizationId)
        .where("changes.id", "=", input.id)
        .executeTakeFirst();
      if (!row) throw changeNotFound(input.id);
      return toChange(row);
    }),

  /**
   * Records that an agent has finished its work in a workspace, with a summary and the tests it has run. The next turn
   * of an agent there, or a review round, clears that. For those who may use the device: everyone who is signed in, and
   * API keys of a person who has started an agent session in the workspace, else FORBIDDEN `not_your_change`.
   */
  finish: memberProcedure(changeFinishInput)
    .output(output(change))
    .mutation(({ ctx, input }) => finishChange(ctx.services.database.db, ctx.principal, input)),
} satisfies TRPCRouterRecord;
