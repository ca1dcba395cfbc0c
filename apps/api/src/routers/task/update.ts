import type { Database } from "@grove/db";
import { type Task, type TaskUpdateInput, task as taskSchema, taskUpdateInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { recordTaskEvent } from "../../tasks/events";
import { searchTextOf, statusTimestamps } from "../../tasks/fields";
import { lockReferences } from "../../tasks/references";
import { readTask, taskNotFound, whereTask } from "../../tasks/row";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

/**
 * Changes the given fields; null clears one. The slug stays. A status of type started or completed stamps `startedAt`
 * or `completedAt`; a status of another type clears the completion. NOT_FOUND and `unknown_status` as in task.create.
 */
export const update = memberProcedure(taskUpdateInput)
  .output(output(taskSchema))
  .mutation(({ ctx, input }) =>
    ctx.services.database.db.transaction().execute((trx) => updateTask(trx, input)),
  );

async function updateTask(trx: Transaction<Database>, input: TaskUpdateInput): Promise<Task> {
  const { organizationId } = input;
  const statusType = await lockReferences(trx, organizationId, input);
  const current = await trx
    .selectFrom("tasks")
    .select(["id", "title", "description"])
    .where("organization_id", "=", organizationId)
    .where(whereTask(input.id))
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!current) throw taskNotFound(input.id);
  const title = input.title ?? current.title;
  const description = input.description === undefined ? current.description : input.description;
  await trx
    .updateTable("tasks")
    // Kysely leaves undefined fields out of the statement.
    .set({
      title,
      description,
      search_text: searchTextOf(title, description),
      status: input.status,
      ...(statusType && statusTimestamps(statusType)),
      priority: input.priority,
      assignee_id: input.assigneeId,
      project_id: input.projectId,
      labels: input.labels,
      due_date: input.dueDate,
      estimate: input.estimate,
      branch: input.branch,
      pr_url: input.prUrl,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", current.id)
    .execute();
  const task = await readTask(trx, organizationId, current.id);
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
  return task;
}
