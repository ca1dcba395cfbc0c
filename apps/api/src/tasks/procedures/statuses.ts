import {
  success,
  taskCreateStatusInput,
  taskDeleteStatusInput,
  taskListStatusesInput,
  taskStatus as taskStatusSchema,
  taskUpdateStatusInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { createStatus, deleteStatus, updateStatus } from "../statuses";
import { readStatuses } from "../statusOrder";

export const statusProcedures = {
  /** The organization's statuses in their order; a new task gets the first. */
  listStatuses: memberProcedure(taskListStatusesInput)
    .output(output(z.array(taskStatusSchema)))
    .query(({ ctx, input }) => readStatuses(ctx.services.database.db, input.organizationId)),

  /**
   * Adds a status; its key is made from its name and never changes. PRECONDITION_FAILED `too_many_statuses` beyond 100.
   */
  createStatus: memberProcedure(taskCreateStatusInput, "admin")
    .output(output(taskStatusSchema))
    .mutation(({ ctx, input }) => createStatus(ctx.services, input)),

  /**
   * Renames, recolours or moves a status, or changes its type, which stamps its tasks as setting the status would.
   * CONFLICT `status_type_fixed` when its key is the name of its type.
   */
  updateStatus: memberProcedure(taskUpdateStatusInput, "admin")
    .output(output(taskStatusSchema))
    .mutation(({ ctx, input }) => updateStatus(ctx.services, input)),

  /**
   * Deletes a status; its tasks, including deleted ones, get the status `moveTo`. PRECONDITION_FAILED `status_in_use`
   * when it has tasks and no `moveTo` is given, `last_status` for the only one.
   */
  deleteStatus: memberProcedure(taskDeleteStatusInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => deleteStatus(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
