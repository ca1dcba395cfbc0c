import type { UserPrincipal } from "@grove/auth";
import { isUniqueViolation } from "@grove/db";
import type { Task, TaskCreateInput } from "@grove/schemas";
import { hashOf, idempotencyOwner } from "../lib/idempotency";
import type { Services } from "../services";
import { takeBytes } from "./byteQuota";
import { type TaskKey, taskOfKey } from "./idempotency";
import { insertTask } from "./insert";
import { recordTaskEvent } from "./taskEvents";

/**
 * Creates a task, or returns the one that was created with the same idempotency key.
 * @throws {GroveError} NOT_FOUND; BAD_REQUEST `unknown_status`; CONFLICT `idempotency_key_reused`; PRECONDITION_FAILED
 * `quota_exceeded`
 */
export async function createTask(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: TaskCreateInput,
): Promise<Task> {
  const { db } = database;
  const key = keyOf(input, idempotencyOwner(principal));
  const createOnce = () =>
    db.transaction().execute(async (trx) => {
      const before = key && (await taskOfKey(trx, input.organizationId, key));
      if (before) return before;
      await quotas.take(trx, "tasks", input.organizationId);
      await takeBytes(trx, quotas, input.organizationId, input);
      const task = await insertTask(trx, principal.user.id, input, null, key);
      await recordTaskEvent(trx, input.organizationId, { type: "created", task });
      return task;
    });
  return createOnce().catch((error: unknown) => {
    // A concurrent call has just created it with the same key.
    if (isUniqueViolation(error, "tasks_idempotency_key")) return createOnce();
    throw error;
  });
}

function keyOf({ idempotencyKey, ...meaning }: TaskCreateInput, principal: string): TaskKey | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotency_principal: principal,
    idempotency_key: idempotencyKey,
    idempotency_hash: hashOf(meaning),
  };
}
