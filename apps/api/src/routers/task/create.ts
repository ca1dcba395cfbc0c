import { type Database, newId } from "@grove/db";
import { type Task, taskCreateInput, task as taskSchema } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type * as z from "zod";
import { output } from "../../outputs";
import { memberProcedure } from "../../trpc";
import { lockReferences, readTask, recordTaskEvent, searchTextOf, slugsFor } from "./tasks";

/**
 * Creates a task; its slug comes from its title. Without `status` it gets the organization's first. NOT_FOUND for an
 * assignee who is no member or another organization's project; BAD_REQUEST `unknown_status`.
 */
export const create = memberProcedure(taskCreateInput)
  .output(output(taskSchema))
  .mutation(({ ctx, input }) =>
    ctx.services.database.db.transaction().execute(async (trx) => {
      const task = await insertTask(trx, ctx.principal.user.id, input);
      await recordTaskEvent(trx, input.organizationId, { type: "created", task });
      return task;
    }),
  );

/** Whoever calls it records the event, last in the transaction. */
export async function insertTask(
  trx: Transaction<Database>,
  creatorId: string,
  input: z.infer<typeof taskCreateInput>,
  externalUrl: string | null = null,
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
