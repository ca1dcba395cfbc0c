import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Task } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { selectTasks, toTask } from "./row";

/** An idempotency key as the task's row stores it. */
export interface TaskKey {
  idempotency_principal: string;
  idempotency_key: string;
  idempotency_hash: string;
}

/**
 * The task that was created with an idempotency key. After 24 hours the key is free again.
 * @throws {GroveError} CONFLICT `idempotency_key_reused` when the key was used with another input
 */
export async function taskOfKey(
  trx: Transaction<Database>,
  organizationId: string,
  { idempotency_principal, idempotency_key, idempotency_hash }: TaskKey,
): Promise<Task | undefined> {
  await trx
    .updateTable("tasks")
    .set({ idempotency_key: null })
    .where("organization_id", "=", organizationId)
    .where("idempotency_principal", "=", idempotency_principal)
    .where("idempotency_key", "=", idempotency_key)
    .where(sql<boolean>`created_at < now() - ${lifetimes.idempotencyKey}`)
    .execute();
  const row = await selectTasks(trx, organizationId)
    .select("tasks.idempotency_hash")
    .where("idempotency_principal", "=", idempotency_principal)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
  if (row && row.idempotency_hash !== idempotency_hash)
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${idempotency_key}" was used for another task, ${row.slug}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { taskId: row.id } },
    );
  return row && toTask(row);
}
