import { type Task, taskListInput, task as taskSchema } from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { afterCursor } from "../../keyset";
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
    const { organizationId } = input;
    let query = selectTasks(db, organizationId)
      .where("deleted_at", "is", null)
      .orderBy("tasks.created_at", "desc")
      .orderBy("tasks.id", "desc")
      .limit(input.limit);
    if (input.after !== undefined)
      query = query.where(await afterCursor(db, "tasks", organizationId, input.after));
    if (input.status !== undefined) query = query.where(hasStatus(organizationId, input.status));
    if (input.assigneeId) query = query.where("assignee_id", "=", input.assigneeId);
    if (input.creatorId) query = query.where("creator_id", "=", input.creatorId);
    if (input.priority) query = query.where("priority", "=", input.priority);
    if (input.labels?.length) query = query.where("labels", "@>", sql<string[]>`${input.labels}::text[]`);
    if (input.projectId) query = query.where("project_id", "=", input.projectId);
    if (input.search) query = query.where("search_text", "like", containing(input.search));
    return (await query.execute()).map(toTask);
  });

const hasStatus = (organizationId: string, status: string) => sql<boolean>`tasks.status in (
  select key from task_statuses where organization_id = ${organizationId} and (key = ${status} or (type = ${status}
    and not exists (select from task_statuses where organization_id = ${organizationId} and key = ${status}))))`;

/** The pattern for text anywhere in a folded one; % and _ stand for themselves. */
const containing = (text: string) => `%${folded(text).replace(/[\\%_]/g, "\\$&")}%`;
