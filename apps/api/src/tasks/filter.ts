import type { Database, GroveDatabase } from "@grove/db";
import type { TaskCountInput, TaskStatusType } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Services } from "../services";
import { type Condition, MAX_SORTED_TASKS, withText } from "./textSearch";

type Engine = GroveDatabase["engine"];

/** A search may have to read every task's text, and a filter by label every task with that label. */
export const databaseFor = (
  { database }: Pick<Services, "database">,
  { search, labels }: TaskCountInput,
): Kysely<Database> => (search || labels?.length ? database.slow : database.db);

/**
 * The condition for an organization's tasks that are not deleted and pass the filter. Undefined when no task passes:
 * nothing has such a status, label or text.
 */
export async function matching(
  db: Kysely<Database>,
  engine: Engine,
  filter: TaskCountInput,
): Promise<Condition | undefined> {
  const { creatorId, branch, labels, search } = filter;
  const statuses = await statusesOf(db, filter);
  if (statuses?.length === 0) return undefined;
  const conditions: Condition[] = [sql`tasks.deleted_at is null`];
  /** Conditions that the planner cannot judge: it may search for them from the newest task to the oldest. */
  const unjudged: Condition[] = [];
  const assigned = assignedTo(filter);
  const priorities = filter.priorities ?? listOf(filter.priority);
  const projectIds = filter.projectIds ?? listOf(filter.projectId);
  if (statuses) conditions.push(isIn(sql`tasks.status`, statuses, sql`text[]`));
  if (assigned) conditions.push(assigned);
  if (branch !== undefined) conditions.push(sql`tasks.branch = ${branch}`);
  if (creatorId) conditions.push(sql`tasks.creator_id = ${creatorId}`);
  if (priorities) conditions.push(isIn(sql`tasks.priority`, priorities, sql`text[]`));
  if (projectIds) conditions.push(isIn(sql`tasks.project_id`, projectIds, sql`uuid[]`));
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
    const idsOfFew = await fewWith(db, filter.organizationId, condition);
    if (idsOfFew?.length === 0) return undefined;
    if (idsOfFew) conditions.push(sql`tasks.id = any(${idsOfFew}::uuid[])`);
  }
  return sql.join<boolean>(conditions, sql` and `);
}

const listOf = <Value>(value: Value | undefined): Value[] | undefined =>
  value === undefined ? undefined : [value];

/** Whether a column has one of the values. A single one is compared with `=`: its index yields the tasks in order. */
const isIn = (column: RawBuilder<unknown>, values: string[], type: RawBuilder<unknown>): Condition =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::${type})`;

/** The condition for the assignees that a filter names, if it names any. */
function assignedTo({ assigneeId, assigneeIds, unassigned }: TaskCountInput): Condition | undefined {
  const ids = assigneeIds ?? listOf(assigneeId);
  const isAssigned = ids && isIn(sql`tasks.assignee_id`, ids, sql`uuid[]`);
  if (!unassigned) return isAssigned;
  const isUnassigned: Condition = sql`tasks.assignee_id is null`;
  return isAssigned ? sql`(${isAssigned} or ${isUnassigned})` : isUnassigned;
}

/**
 * The keys of the statuses that a filter means: each is a key, otherwise a type. Undefined when it names none. An
 * unknown one means no status; if all are, no task passes.
 */
async function statusesOf(
  db: Kysely<Database>,
  { organizationId, status, statuses = listOf(status) }: TaskCountInput,
): Promise<string[] | undefined> {
  if (!statuses) return undefined;
  const rows = await db
    .selectFrom("task_statuses")
    .select(["key", "type"])
    .where("organization_id", "=", organizationId)
    // Any other text is not a type, and matches nothing.
    .where((eb) => eb.or([eb("key", "in", statuses), eb("type", "in", statuses as TaskStatusType[])]))
    .execute();
  const keys = new Set(rows.map(({ key }) => key));
  return rows
    .filter(({ key, type }) => statuses.includes(key) || (statuses.includes(type) && !keys.has(type)))
    .map(({ key }) => key);
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
    .limit(MAX_SORTED_TASKS)
    .execute();
  return rows.length < MAX_SORTED_TASKS ? rows.map(({ id }) => id) : undefined;
}
