import { GroveError, recordAudit, slugOf, type UserPrincipal, withRandomSuffix } from "@grove/auth";
import type { Database } from "@grove/db";
import {
  type Success,
  type TaskCreateStatusInput,
  type TaskDeleteStatusInput,
  type TaskStatus,
  type TaskStatusType,
  type TaskUpdateStatusInput,
  taskStatusType,
} from "@grove/schemas";
import type { Transaction } from "kysely";
import type { Services } from "../services";
import { unknownStatus } from "./lockReferences";
import { taskStatusNotFound } from "./row";
import { lockStatuses, moveStatus, renumber } from "./statusOrder";
import { statusTimestamps } from "./statusTimestamps";
import { recordTaskEvent } from "./taskEvents";

const MAX_STATUSES = 100;

/**
 * Adds a status.
 * @throws {GroveError} PRECONDITION_FAILED `too_many_statuses`
 */
export function createStatus(
  { database }: Pick<Services, "database">,
  { organizationId, position, ...fields }: TaskCreateStatusInput,
): Promise<TaskStatus> {
  return database.db.transaction().execute(async (trx) => {
    const statuses = await lockStatuses(trx, organizationId);
    if (statuses.length >= MAX_STATUSES)
      throw new GroveError(
        "PRECONDITION_FAILED",
        `An organization has at most ${MAX_STATUSES} statuses. Delete one first.`,
        { reason: "too_many_statuses" },
      );
    const status = {
      key: freeKey(fields.name, fields.type, statuses),
      ...fields,
      position: statuses.length,
    };
    await trx
      .insertInto("task_statuses")
      .values({ organization_id: organizationId, ...status })
      .execute();
    const moved = await moveStatus(trx, organizationId, [...statuses, status], status.key, position);
    await recordTaskEvent(trx, organizationId, { type: "statuses_changed" });
    return moved;
  });
}

/**
 * Changes or moves a status.
 * @throws {GroveError} NOT_FOUND; CONFLICT `status_type_fixed`
 */
export function updateStatus(
  { database }: Pick<Services, "database">,
  { organizationId, key, position, ...fields }: TaskUpdateStatusInput,
): Promise<TaskStatus> {
  return database.db.transaction().execute(async (trx) => {
    const statuses = await lockStatuses(trx, organizationId);
    const current = statuses.find((status) => status.key === key);
    if (!current) throw taskStatusNotFound(key);
    const status = {
      ...current,
      name: fields.name ?? current.name,
      type: fields.type ?? current.type,
      color: fields.color ?? current.color,
    };
    if (isTypeName(key) && status.type !== key)
      throw new GroveError(
        "CONFLICT",
        `The status "${key}" has the name of a type and keeps that type. Create another status instead.`,
        { reason: "status_type_fixed" },
      );
    await trx
      .updateTable("task_statuses")
      .set({ name: status.name, type: status.type, color: status.color })
      .where("organization_id", "=", organizationId)
      .where("key", "=", key)
      .execute();
    if (status.type !== current.type)
      await trx
        .updateTable("tasks")
        .set(statusTimestamps(status.type))
        .where("organization_id", "=", organizationId)
        .where("status", "=", key)
        .execute();
    const changed = statuses.map((other) => (other.key === key ? status : other));
    const moved = await moveStatus(trx, organizationId, changed, key, position ?? current.position);
    await recordTaskEvent(trx, organizationId, { type: "statuses_changed" });
    return moved;
  });
}

/**
 * Deletes a status, and gives its tasks the status `moveTo`.
 * @throws {GroveError} NOT_FOUND; BAD_REQUEST `unknown_status`; PRECONDITION_FAILED `status_in_use` or `last_status`
 */
export function deleteStatus(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, key, moveTo }: TaskDeleteStatusInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    const statuses = await lockStatuses(trx, organizationId);
    const status = statuses.find((other) => other.key === key);
    if (!status) throw taskStatusNotFound(key);
    const others = statuses.filter((other) => other.key !== key);
    if (others.length === 0)
      throw new GroveError("PRECONDITION_FAILED", "This is the only status. Create another one first.", {
        reason: "last_status",
      });
    const target = others.find((other) => other.key === moveTo);
    if (moveTo !== undefined && !target) throw unknownStatus(moveTo);
    if (target) await moveTasks(trx, organizationId, key, target);
    else await requireUnused(trx, organizationId, key);
    await trx
      .deleteFrom("task_statuses")
      .where("organization_id", "=", organizationId)
      .where("key", "=", key)
      .execute();
    await renumber(trx, organizationId, others);
    await recordAudit(trx, principal, {
      organizationId,
      action: "task.deleteStatus",
      target: { type: "task_status", id: key },
      metadata: { name: status.name, moveTo: moveTo ?? null },
    });
    await recordTaskEvent(trx, organizationId, { type: "statuses_changed" });
    return { success: true as const };
  });
}

async function moveTasks(
  trx: Transaction<Database>,
  organizationId: string,
  from: string,
  to: TaskStatus,
): Promise<void> {
  await trx
    .updateTable("tasks")
    .set({ status: to.key, ...statusTimestamps(to.type) })
    .where("organization_id", "=", organizationId)
    .where("status", "=", from)
    .execute();
}

async function requireUnused(trx: Transaction<Database>, organizationId: string, key: string): Promise<void> {
  const task = await trx
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("status", "=", key)
    .limit(1)
    .executeTakeFirst();
  if (!task) return;
  throw new GroveError(
    "PRECONDITION_FAILED",
    `Tasks have the status "${key}", or deleted tasks that can be restored do. Name their new status in moveTo.`,
    { reason: "status_in_use" },
  );
}

const isTypeName = (key: string): boolean => taskStatusType.safeParse(key).success;

/** Makes a free key from a name in any script. The key is not the name of a type other than the status's own. */
function freeKey(name: string, type: TaskStatusType, statuses: TaskStatus[]): string {
  const slug = slugOf(name, "status");
  const isFree = (key: string) =>
    !statuses.some((status) => status.key === key) && (!isTypeName(key) || key === type);
  let key = slug.replaceAll("-", "_");
  while (!isFree(key)) key = withRandomSuffix(slug).replaceAll("-", "_");
  return key;
}
