import type { Database } from "@grove/db";
import { type Task, taskCount, taskCountInput, taskListInput, task as taskSchema } from "@grove/schemas";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import * as z from "zod";
import { newestFirst } from "../../keyset";
import { output } from "../../outputs";
import { memberProcedure } from "../../trpc";
import { folded, selectTasks, toTask } from "./tasks";

/**
 * Newest first. `status` is a status's key, or else a type of statuses; `search` finds text in titles and descriptions
 * in any script, whatever the case.
 */
export const list = memberProcedure(taskListInput)
  .output(output(z.array(taskSchema)))
  .query(async ({ ctx, input }): Promise<Task[]> => {
    const { db } = ctx.services.database;
    const query = selectTasks(db, input.organizationId).where(matching(input));
    return (await newestFirst(db, "tasks", query, input)).map(toTask);
  });

/** How many tasks task.list has for the same filter, all its pages together. */
export const count = memberProcedure(taskCountInput)
  .output(output(taskCount))
  .query(async ({ ctx, input }) => {
    const { total } = await ctx.services.database.db
      .selectFrom("tasks")
      .select((eb) => eb.fn.countAll<string>().as("total"))
      .where("organization_id", "=", input.organizationId)
      .where(matching(input))
      .executeTakeFirstOrThrow();
    return { total: Number(total) };
  });

/** The tasks of the organization that are not deleted and pass the filter. */
const matching =
  (filter: z.infer<typeof taskCountInput>) =>
  (eb: ExpressionBuilder<Database, "tasks">): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [eb("tasks.deleted_at", "is", null)];
    const { organizationId, status, assigneeId, creatorId, priority, labels, projectId, search } = filter;
    if (status !== undefined) conditions.push(hasStatus(organizationId, status));
    if (assigneeId) conditions.push(eb("tasks.assignee_id", "=", assigneeId));
    if (creatorId) conditions.push(eb("tasks.creator_id", "=", creatorId));
    if (priority) conditions.push(eb("tasks.priority", "=", priority));
    if (labels?.length) conditions.push(eb("tasks.labels", "@>", sql<string[]>`${labels}::text[]`));
    if (projectId) conditions.push(eb("tasks.project_id", "=", projectId));
    if (search) conditions.push(eb("tasks.search_text", "like", containing(search)));
    return eb.and(conditions);
  };

const hasStatus = (organizationId: string, status: string) => sql<boolean>`tasks.status in (
  select key from task_statuses where organization_id = ${organizationId} and (key = ${status} or (type = ${status}
    and not exists (select from task_statuses where organization_id = ${organizationId} and key = ${status}))))`;

/** The pattern for text anywhere in a folded one; % and _ stand for themselves. */
const containing = (text: string) => `%${folded(text).replace(/[\\%_]/g, "\\$&")}%`;
