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
 * transaction ends no task gets a status. The statuses are read after the lock, which may have waited for another
 * change.
 */
export async function lockStatuses(
  trx: Transaction<Database>,
  organizationId: string,
): Promise<TaskStatus[]> {
  // First a row that always exists: the lock below misses a status that is being inserted.
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

/** Moves a status to a position, or to the end when none is given, and returns it as it then stands. */
export async function place(
  trx: Transaction<Database>,
  organizationId: string,
  statuses: TaskStatus[],
  key: string,
  position = statuses.length,
): Promise<TaskStatus> {
  const others = statuses.filter((status) => status.key !== key);
  const moved = statuses.filter((status) => status.key === key);
  const ordered = await renumber(trx, organizationId, others.toSpliced(position, 0, ...moved));
  // Every caller has read the status with this key.
  return ordered.find((status) => status.key === key) as TaskStatus;
}

/** Writes the positions of statuses in this order, from 0 on. */
export async function renumber(
  trx: Transaction<Database>,
  organizationId: string,
  statuses: TaskStatus[],
): Promise<TaskStatus[]> {
  await sql`
    update task_statuses set position = place - 1
    from unnest(${statuses.map(({ key }) => key)}::text[]) with ordinality as ordered (key, place)
    where organization_id = ${organizationId} and task_statuses.key = ordered.key
  `.execute(trx);
  return statuses.map((status, position) => ({ ...status, position }));
}
