import { type Database, newId } from "@grove/db";
import type { Task, TaskCreateInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { TaskKey } from "./idempotency";
import { lockReferences } from "./lockReferences";
import { readTask } from "./row";
import { searchTextOf } from "./searchText";
import { slugsFor } from "./slugs";

/** Inserts a task's row. The caller records the event, last in the transaction. */
export async function insertTask(
  trx: Transaction<Database>,
  creatorId: string,
  input: TaskCreateInput,
  externalUrl: string | null = null,
  key: TaskKey | undefined = undefined,
): Promise<Task> {
  const { organizationId, title, description = null } = input;
  const status = input.status ?? (await firstStatus(trx, organizationId));
  const statusType = await lockReferences(trx, organizationId, { ...input, status });
  const values = {
    organization_id: organizationId,
    title,
    description,
    search_text: searchTextOf(title, description),
    status,
    priority: input.priority,
    assignee_id: input.assigneeId ?? null,
    creator_id: creatorId,
    project_id: input.projectId ?? null,
    labels: input.labels,
    due_date: input.dueDate ?? null,
    estimate: input.estimate ?? null,
    external_url: externalUrl,
    ...key,
    started_at: statusType === "started" ? sql<string>`now()` : null,
    completed_at: statusType === "completed" ? sql<string>`now()` : null,
  };
  const id = newId();
  for (const slug of slugsFor(title)) {
    const inserted = await trx
      .insertInto("tasks")
      .values({ id, slug, ...values })
      .onConflict((conflict) => conflict.constraint("tasks_slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) break;
  }
  return readTask(trx, organizationId, id);
}

async function firstStatus(trx: Transaction<Database>, organizationId: string): Promise<string> {
  const { key } = await trx
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    .orderBy("position")
    .limit(1)
    .executeTakeFirstOrThrow();
  return key;
}
