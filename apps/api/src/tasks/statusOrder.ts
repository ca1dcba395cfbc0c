import type { Database } from "@grove/db";
import type { TaskStatus } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { lockOrder } from "./rank";

/** The statuses in their order. */
export const readStatuses = (db: Kysely<Database>, organizationId: string): Promise<TaskStatus[]> =>
  db
    .selectFrom("task_statuses")
    .select(["key", "name", "type", "color", "position"])
    .where("organization_id", "=", organizationId)
    .orderBy("position")
    .execute();

/**
 * Serializes changes of an organization's statuses, whose number and positions depend on one another. Until the
 * transaction ends, no task can get another status. The statuses are read after the lock was acquired, which may have
 * waited for another change.
 */
export async function lockStatuses(
  trx: Transaction<Database>,
  organizationId: string,
): Promise<TaskStatus[]> {
  // Locks a row that always exists first: the lock below misses a status that is being inserted.
  await lockOrder(trx, organizationId);
  await trx
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    .orderBy("key")
    .forUpdate()
    .execute();
  return readStatuses(trx, organizationId);
}

/** Moves a status to a position, by default to the end. @returns the status with its new position */
export async function moveStatus(
  trx: Transaction<Database>,
  organizationId: string,
  statuses: TaskStatus[],
  key: string,
  position = statuses.length,
): Promise<TaskStatus> {
  const others = statuses.filter((status) => status.key !== key);
  const moved = statuses.filter((status) => status.key === key);
  const ordered = await renumber(trx, organizationId, others.toSpliced(position, 0, ...moved));
  // `statuses` contains this key: every caller has read it.
  return ordered.find((status) => status.key === key) as TaskStatus;
}

/** Writes the positions of statuses in this order, from 0 on. */
export async function renumber(
  trx: Transaction<Database>,
  organizationId: string,
  statuses: TaskStatus[],
): Promise<TaskStatus[]> {
  await sql`
    update task_statuses set position = ordinal - 1
    from unnest(${statuses.map(({ key }) => key)}::text[]) with ordinality as ordered (key, ordinal)
    where organization_id = ${organizationId} and task_statuses.key = ordered.key
  `.execute(trx);
  return statuses.map((status, position) => ({ ...status, position }));
}
