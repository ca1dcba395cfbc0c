import type { Database, GroveDatabase } from "@grove/db";
import type { TaskCountInput, TaskStatusType } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { type Condition, FEW, withText } from "./textSearch";

type Engine = GroveDatabase["engine"];

/**
 * The condition for an organization's tasks that are not deleted and pass the filter. Undefined when no task passes:
 * nothing has such a status, label or text.
 */
export async function matching(
  db: Kysely<Database>,
  engine: Engine,
  filter: TaskCountInput,
): Promise<Condition | undefined> {
  const { assigneeId, unassigned, creatorId, priority, branch, labels, projectId, search } = filter;
  const statuses = await statusesOf(db, filter);
  if (statuses?.length === 0) return undefined;
  const conditions: Condition[] = [sql`tasks.deleted_at is null`];
  /** Conditions that the planner cannot judge: it may search for them from the newest task to the oldest. */
  const unjudged: Condition[] = [];
  // A single status is compared with `=`: its index then yields the tasks in their order.
  if (statuses?.length === 1) conditions.push(sql`tasks.status = ${statuses[0]}`);
  else if (statuses) conditions.push(sql`tasks.status = any(${statuses}::text[])`);
  if (assigneeId) conditions.push(sql`tasks.assignee_id = ${assigneeId}`);
  if (unassigned) conditions.push(sql`tasks.assignee_id is null`);
  if (branch !== undefined) conditions.push(sql`tasks.branch = ${branch}`);
  if (creatorId) conditions.push(sql`tasks.creator_id = ${creatorId}`);
  if (priority) conditions.push(sql`tasks.priority = ${priority}`);
  if (projectId) conditions.push(sql`tasks.project_id = ${projectId}`);
  if (labels?.length) {
    const labelled: Condition = sql`tasks.labels @> ${labels}::text[]`;
    conditions.push(labelled);
    unjudged.push(labelled);
  }
  if (search) {
    const found = await withText(db, engine, filter.organizationId, search);
    if (!found) return undefined;
    conditions.push(found);
  }
  for (const condition of unjudged) {
    const few = await fewWith(db, filter.organizationId, condition);
    if (few?.length === 0) return undefined;
    if (few) conditions.push(sql`tasks.id = any(${few}::uuid[])`);
  }
  return sql.join<boolean>(conditions, sql` and `);
}

/**
 * The keys of the statuses that a filter means: a key, otherwise a type. Undefined when it names none. An unknown one
 * means no status, and so no task.
 */
async function statusesOf(
  db: Kysely<Database>,
  { organizationId, status }: TaskCountInput,
): Promise<string[] | undefined> {
  if (status === undefined) return undefined;
  const rows = await db
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    // Any other text is no type, and matches nothing.
    .where((eb) => eb.or([eb("key", "=", status), eb("type", "=", status as TaskStatusType)]))
    .execute();
  const keys = rows.map(({ key }) => key);
  return keys.includes(status) ? [status] : keys;
}

/** The tasks that meet a condition, if they are few; undefined if they are many. */
async function fewWith(
  db: Kysely<Database>,
  organizationId: string,
  condition: Condition,
): Promise<string[] | undefined> {
  const rows = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(condition)
    .limit(FEW)
    .execute();
  return rows.length < FEW ? rows.map(({ id }) => id) : undefined;
}
