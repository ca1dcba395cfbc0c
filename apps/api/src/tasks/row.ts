import { GroveError } from "@grove/auth";
import type { Database, TaskTable } from "@grove/db";
import {
  DELETED_TASK_DAYS,
  id as idSchema,
  type PullState,
  type Task,
  type TaskStatusType,
  type WorkState,
} from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { notFound } from "../lib/notFound";
import { changeState } from "../lib/workState";
import { rankOf } from "./rank";

/** Selects tasks with the type of their status, deleted tasks included. */
export const selectTasks = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("tasks")
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .select(taskColumns)
    .select(["task_statuses.type as status_type", rankOf.as("rank"), prState.as("pr_state")])
    .select(changeState.as("change_state"))
    .where("tasks.organization_id", "=", organizationId);

/** The most urgent state of the pull requests of a task's changes. */
const prState = sql<PullState | null>`(
  select (array['open', 'draft', 'merged', 'closed'])[
    min(array_position(array['open', 'draft', 'merged', 'closed'], pull.state))]
  from changes as change join pull_requests as pull
    on pull.organization_id = change.organization_id and pull.change_id = change.id
  where change.organization_id = tasks.organization_id and change.task_id = tasks.id)`;

/** All columns of a returned task. `search_text` and its bigrams are left out: each is as large as the rest. */
const taskColumns = [
  "tasks.id",
  "tasks.slug",
  "tasks.organization_id",
  "tasks.title",
  "tasks.description",
  "tasks.status",
  "tasks.priority",
  "tasks.assignee_id",
  "tasks.creator_id",
  "tasks.project_id",
  "tasks.labels",
  "tasks.due_date",
  "tasks.estimate",
  "tasks.branch",
  "tasks.pr_url",
  "tasks.external_url",
  "tasks.started_at",
  "tasks.completed_at",
  "tasks.created_at",
  "tasks.updated_at",
] as const;

/** Finds a task by its UUID or its slug. A slug never looks like a UUID. */
export const whereTask = (reference: string) =>
  idSchema.safeParse(reference).success
    ? sql<boolean>`tasks.id = ${reference}`
    : sql<boolean>`tasks.slug = ${reference}`;

/**
 * A task that is not deleted, by its UUID or slug.
 * @throws {GroveError} NOT_FOUND
 */
export async function readTask(
  db: Kysely<Database>,
  organizationId: string,
  reference: string,
): Promise<Task> {
  const row = await selectTasks(db, organizationId)
    .where(whereTask(reference))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw notFound("task", reference);
  return toTask(row);
}

/** The columns that are never returned. */
type Hidden =
  | "search_text"
  | "search_bigrams"
  | "deleted_at"
  | "idempotency_principal"
  | "idempotency_key"
  | "idempotency_hash";

type TaskRow = Omit<Selectable<TaskTable>, Hidden> & {
  status_type: TaskStatusType;
  rank: string;
  pr_state: PullState | null;
  change_state: WorkState | null;
};

/** A task's row as the API returns it. */
export const toTask = (row: TaskRow): Task => ({
  id: row.id,
  slug: row.slug,
  organizationId: row.organization_id,
  title: row.title,
  description: row.description,
  status: row.status,
  statusType: row.status_type,
  priority: row.priority,
  assigneeId: row.assignee_id,
  creatorId: row.creator_id,
  projectId: row.project_id,
  labels: row.labels,
  dueDate: row.due_date,
  estimate: row.estimate,
  branch: row.branch,
  prUrl: row.pr_url,
  prState: row.pr_state,
  changeState: row.change_state,
  externalUrl: row.external_url,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  rank: row.rank,
});

/** For a task that is to be restored. */
export const deletedTaskNotFound = (reference: string) =>
  new GroveError(
    "NOT_FOUND",
    `There is no task ${reference}, nor was it deleted in the last ${DELETED_TASK_DAYS} days.`,
    { details: { missing: "deleted task" } },
  );

export const taskStatusNotFound = (key: string) =>
  new GroveError("NOT_FOUND", `There is no status "${key}".`);
