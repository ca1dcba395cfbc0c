import type { UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Task, TaskUpdateInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";
import type { Quotas } from "../limits/quotas";
import type { Services } from "../services";
import { type ActivityActor, actorOf, recordTaskChanges } from "./activity";
import { takeBytes } from "./byteQuota";
import { lockReferences } from "./lockReferences";
import { readTask, selectTasks, toTask, whereTask } from "./row";
import { searchTextOf } from "./searchText";
import { statusTimestamps } from "./statusTimestamps";
import { recordTaskEvent } from "./taskEvents";

/**
 * Changes the given fields.
 * @throws {GroveError} NOT_FOUND; BAD_REQUEST `unknown_status`; PRECONDITION_FAILED `quota_exceeded`
 */
export function updateTask(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: TaskUpdateInput,
): Promise<Task> {
  const actor = actorOf(principal);
  return database.db.transaction().execute((trx) => updateFields(trx, quotas, actor, input));
}

async function updateFields(
  trx: Transaction<Database>,
  quotas: Quotas,
  actor: ActivityActor,
  input: TaskUpdateInput,
): Promise<Task> {
  const { organizationId } = input;
  await takeBytes(trx, quotas, organizationId, input);
  const statusType = await lockReferences(trx, organizationId, input);
  const row = await selectTasks(trx, organizationId)
    .where(whereTask(input.id))
    .where("deleted_at", "is", null)
    .forUpdate("tasks")
    .executeTakeFirst();
  if (!row) throw notFound("task", input.id);
  const current = toTask(row);
  const title = input.title ?? current.title;
  const description = input.description === undefined ? current.description : input.description;
  await trx
    .updateTable("tasks")
    // Kysely leaves undefined fields out of the statement.
    .set({
      title,
      description,
      // Otherwise the text's bigrams would be computed again, too.
      search_text:
        input.title === undefined && input.description === undefined
          ? undefined
          : searchTextOf(title, description),
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
  await recordTaskChanges(trx, { before: current, after: task, actor });
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
  return task;
}
