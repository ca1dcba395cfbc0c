import { GroveError } from "@grove/auth";
import { type Database, isUniqueViolation, newId } from "@grove/db";
import { type Task, taskCreateInput, task as taskSchema } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type * as z from "zod";
import { hashOf, idempotencyOwner } from "../../lib/idempotency";
import {
  lockReferences,
  readTask,
  recordTaskEvent,
  searchTextOf,
  selectTasks,
  slugsFor,
  toTask,
} from "../../tasks/tasks";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

type CreateInput = z.infer<typeof taskCreateInput>;

/**
 * Creates a task; its slug comes from its title. Without `status` it gets the organization's first. NOT_FOUND for an
 * assignee who is no member or another organization's project; BAD_REQUEST `unknown_status`; CONFLICT
 * `idempotency_key_reused` for a key that stands for another task; PRECONDITION_FAILED `quota_exceeded`.
 */
export const create = memberProcedure(taskCreateInput)
  .output(output(taskSchema))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services.database;
    const key = keyOf(input, idempotencyOwner(ctx.principal));
    const createOnce = () =>
      db.transaction().execute(async (trx) => {
        const before = key && (await earlier(trx, input.organizationId, key));
        if (before) return before;
        await ctx.services.quotas.take(trx, "tasks", input.organizationId);
        const task = await insertTask(trx, ctx.principal.user.id, input, null, key);
        await recordTaskEvent(trx, input.organizationId, { type: "created", task });
        return task;
      });
    return createOnce().catch((error: unknown) => {
      // Somebody has just created it with the same key.
      if (isUniqueViolation(error, "tasks_idempotency_key")) return createOnce();
      throw error;
    });
  });

/** An idempotency key as the task's row keeps it. */
interface Key {
  idempotency_principal: string;
  idempotency_key: string;
  idempotency_hash: string;
}

function keyOf({ idempotencyKey, ...meaning }: CreateInput, principal: string): Key | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotency_principal: principal,
    idempotency_key: idempotencyKey,
    idempotency_hash: hashOf(meaning),
  };
}

/**
 * The task that an idempotency key stands for; none when it is older than 24 hours, and the key then free again.
 * @throws CONFLICT `idempotency_key_reused` when it stands for something else
 */
async function earlier(
  trx: Transaction<Database>,
  organizationId: string,
  { idempotency_principal, idempotency_key, idempotency_hash }: Key,
): Promise<Task | undefined> {
  await trx
    .updateTable("tasks")
    .set({ idempotency_key: null })
    .where("organization_id", "=", organizationId)
    .where("idempotency_principal", "=", idempotency_principal)
    .where("idempotency_key", "=", idempotency_key)
    .where(sql<boolean>`created_at < now() - interval '24 hours'`)
    .execute();
  const row = await selectTasks(trx, organizationId)
    .select("tasks.idempotency_hash")
    .where("idempotency_principal", "=", idempotency_principal)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
  if (row && row.idempotency_hash !== idempotency_hash)
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${idempotency_key}" stands for another task, ${row.slug}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { taskId: row.id } },
    );
  return row && toTask(row);
}

/** Whoever calls it records the event, last in the transaction. */
export async function insertTask(
  trx: Transaction<Database>,
  creatorId: string,
  input: z.infer<typeof taskCreateInput>,
  externalUrl: string | null = null,
  key: Key | undefined = undefined,
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
