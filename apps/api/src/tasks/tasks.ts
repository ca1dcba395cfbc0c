import { distinct, GroveError, slugOf } from "@grove/auth";
import type { Database, TaskTable } from "@grove/db";
import { id as idSchema, type Task, type TaskEvent, type TaskStatusType } from "@grove/schemas";
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { recordEvent } from "../events/record";

/** The events of an organization's tasks. */
export const tasksOf = (organizationId: string) => ({ organizationId, topic: "task" });

/** Records what happened to a task; call it last in the transaction. */
export const recordTaskEvent = (trx: Transaction<Database>, organizationId: string, event: TaskEvent) =>
  recordEvent(trx, tasksOf(organizationId), event);

/** Tasks with what their statuses mean; deleted ones too. */
export const selectTasks = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("tasks")
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .select(taskColumns)
    .select("task_statuses.type as status_type")
    .where("tasks.organization_id", "=", organizationId);

/** The columns that are answered: all but the text for searches, which is as large as the rest. */
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

/** The condition on a task's UUID or slug, which cannot be mistaken for one another. */
export const isTask = (reference: string) =>
  idSchema.safeParse(reference).success
    ? sql<boolean>`tasks.id = ${reference}`
    : sql<boolean>`tasks.slug = ${reference}`;

/**
 * A task that is not deleted, by its UUID or slug.
 * @throws NOT_FOUND
 */
export async function readTask(
  db: Kysely<Database>,
  organizationId: string,
  reference: string,
): Promise<Task> {
  const row = await selectTasks(db, organizationId)
    .where(isTask(reference))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw noTask(reference);
  return toTask(row);
}

export const noTask = (reference: string) =>
  new GroveError(
    "NOT_FOUND",
    `There is no task ${reference}. List the tasks, or restore it if it was deleted.`,
  );

const maxSlugLength = 40;

/**
 * The slugs to try for a title, one after the other: a short one from its first words, then the same told apart by
 * random characters.
 */
export function* slugsFor(title: string): Generator<string, never> {
  const words = slugOf(title, "task");
  const cut = words.slice(0, maxSlugLength + 1).replace(/-[^-]*$/, "");
  const short = words.length <= maxSlugLength ? words : cut.slice(0, maxSlugLength);
  // A title may well be a UUID; its slug must not be one.
  const slug = idSchema.safeParse(short).success ? `task-${short}` : short;
  yield slug;
  while (true) yield distinct(slug);
}

/** Text as a search compares it: in whatever case, and however its accents and widths are encoded. */
export const folded = (text: string): string =>
  // The Greek small sigma has a second form at the end of a word.
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/** What a search looks in. */
export const searchTextOf = (title: string, description: string | null): string =>
  folded(`${title}\n${description ?? ""}`);

/**
 * The times that go with a status: when work first started, and when it was completed for as long as it is.
 */
export const stampsOf = (
  type: TaskStatusType,
): { started_at: RawBuilder<string>; completed_at: RawBuilder<string> } => ({
  started_at: type === "started" ? sql`coalesce(tasks.started_at, now())` : sql`tasks.started_at`,
  completed_at: type === "completed" ? sql`coalesce(tasks.completed_at, now())` : sql`null`,
});

/** The first of the organization's statuses of a type, which stays one until the transaction ends. */
export async function firstStatusOf(
  trx: Transaction<Database>,
  organizationId: string,
  type: TaskStatusType,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    .where("type", "=", type)
    .orderBy("position")
    .limit(1)
    .forShare()
    .executeTakeFirst();
  return row?.key;
}

/**
 * Locks what a task is to refer to, before the task itself: who deletes one of these then changes its tasks, and two
 * who lock in different orders wait for each other for ever.
 * @returns the type of the status, when one is given
 * @throws NOT_FOUND for an assignee who is no member, or another organization's project; BAD_REQUEST `unknown_status`
 */
export async function lockReferences(
  trx: Transaction<Database>,
  organizationId: string,
  { assigneeId, projectId, status }: References,
): Promise<TaskStatusType | undefined> {
  if (assigneeId) {
    const member = await trx
      .selectFrom("memberships")
      .select("user_id")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", assigneeId)
      .forKeyShare()
      .executeTakeFirst();
    if (!member)
      throw new GroveError(
        "NOT_FOUND",
        `The assignee ${assigneeId} is not a member of the organization. Choose one of its members.`,
      );
  }
  if (projectId) {
    const project = await trx
      .selectFrom("projects")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("id", "=", projectId)
      .forKeyShare()
      .executeTakeFirst();
    if (!project) throw new GroveError("NOT_FOUND", `There is no project ${projectId}.`);
  }
  if (status === undefined) return undefined;
  const row = await trx
    .selectFrom("task_statuses")
    .select("type")
    .where("organization_id", "=", organizationId)
    .where("key", "=", status)
    // Its type must not change meanwhile.
    .forShare()
    .executeTakeFirst();
  if (!row) throw unknownStatus(status);
  return row.type;
}

interface References {
  assigneeId?: string | null;
  projectId?: string | null;
  status?: string;
}

export const unknownStatus = (key: string) =>
  new GroveError("BAD_REQUEST", `There is no status "${key}". List them with task.listStatuses.`, {
    reason: "unknown_status",
  });

/** The columns that are never answered. */
type Hidden = "search_text" | "deleted_at" | "idempotency_principal" | "idempotency_key" | "idempotency_hash";

export const toTask = (row: Omit<Selectable<TaskTable>, Hidden> & { status_type: TaskStatusType }): Task => ({
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
  externalUrl: row.external_url,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
