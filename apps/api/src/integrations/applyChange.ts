import type { Database, IntegrationEventTable } from "@grove/db";
import type { Change } from "@grove/integrations";
import { type Selectable, sql, type Transaction } from "kysely";
import { recordTaskEvent } from "../tasks/events";
import { firstStatusOf } from "../tasks/references";
import { readTask } from "../tasks/row";
import { searchTextOf } from "../tasks/searchText";
import { statusTimestamps } from "../tasks/statusTimestamps";
import { namedTasks } from "./namedTasks";
import { descriptionOf, linkOf, titleOf } from "./taskTexts";
import { moveRepository, webhookRepo } from "./webhookRepo";

type EventRow = Selectable<IntegrationEventTable>;

/**
 * Applies a delivery: a merged pull request completes the tasks that it names, a changed issue changes the task made
 * from it, and the projects of a renamed repository get its new name.
 * @returns a function that records the tasks' events; call it last in the transaction
 */
export async function applyChange(
  trx: Transaction<Database>,
  event: EventRow,
  change: Change,
): Promise<() => Promise<void>> {
  const { organization_id: organizationId } = event;
  const changed = await apply(trx, event, change);
  return async () => {
    for (const id of changed) {
      const task = await readTask(trx, organizationId, id);
      await recordTaskEvent(trx, organizationId, { type: "updated", task });
    }
  };
}

function apply(trx: Transaction<Database>, event: EventRow, change: Change): Promise<string[]> {
  switch (change.kind) {
    case "issue_changed":
      return changeIssue(trx, event, change);
    case "repository_moved":
      return moveRepository(trx, event, change);
    case "pull_request_merged":
      return completeTasks(trx, event, change);
  }
}

type Merged = Extract<Change, { kind: "pull_request_merged" }>;
type IssueChanged = Extract<Change, { kind: "issue_changed" }>;

async function completeTasks(trx: Transaction<Database>, event: EventRow, merged: Merged): Promise<string[]> {
  const { organization_id: organizationId } = event;
  const repo = (await webhookRepo(trx, event)) ?? merged.repo;
  // Locked before the tasks, as in every transaction that moves one.
  const completed = await firstStatusOf(trx, organizationId, "completed");
  const tasks = await namedTasks(trx, organizationId, merged, repo);
  const open = tasks.filter(({ status_type }) => !["completed", "canceled"].includes(status_type));
  const moved = completed === undefined ? [] : open.map(({ id }) => id);
  const link = linkOf(merged.url);
  const linked = tasks.filter(({ pr_url }) => link !== null && pr_url === null).map(({ id }) => id);
  const ids = [...new Set([...moved, ...linked])];
  for (const id of ids)
    await trx
      .updateTable("tasks")
      .set({
        ...(completed !== undefined &&
          moved.includes(id) && { status: completed, ...statusTimestamps("completed") }),
        ...(linked.includes(id) && { pr_url: link }),
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .execute();
  return ids;
}

async function changeIssue(
  trx: Transaction<Database>,
  { organization_id: organizationId, connection_id: connectionId }: EventRow,
  { issue }: IssueChanged,
): Promise<string[]> {
  if (connectionId === null) return [];
  const status = await firstStatusOf(trx, organizationId, issue.stateType);
  const linked = await tasksOfIssue(trx, { organizationId, connectionId, issueId: issue.id })
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .select(["tasks.id", "task_statuses.type as status_type"])
    // Deliveries may overtake one another.
    .where("task_issues.issue_updated_at", "<", new Date(issue.updatedAt).toISOString())
    .where("tasks.deleted_at", "is", null)
    .forUpdate(["tasks", "task_issues"])
    .executeTakeFirst();
  if (!linked) return [];
  const [title, description] = [titleOf(issue), descriptionOf(issue)];
  await trx
    .updateTable("tasks")
    .set({
      title,
      description,
      search_text: searchTextOf(title, description),
      priority: issue.priority,
      // Someone may have chosen one of several statuses of that type here.
      ...(status !== undefined &&
        linked.status_type !== issue.stateType && { status, ...statusTimestamps(issue.stateType) }),
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", linked.id)
    .execute();
  await trx
    .updateTable("task_issues")
    .set({ issue_updated_at: new Date(issue.updatedAt) })
    .where("organization_id", "=", organizationId)
    .where("connection_id", "=", connectionId)
    .where("issue_id", "=", issue.id)
    .execute();
  return [linked.id];
}

/** The task that was made from an issue, if there is one, joined with its link. */
export const tasksOfIssue = (
  trx: Transaction<Database>,
  {
    organizationId,
    connectionId,
    issueId,
  }: { organizationId: string; connectionId: string; issueId: string },
) =>
  trx
    .selectFrom("task_issues")
    .innerJoin("tasks", (join) =>
      join
        .onRef("tasks.organization_id", "=", "task_issues.organization_id")
        .onRef("tasks.id", "=", "task_issues.task_id"),
    )
    .where("task_issues.organization_id", "=", organizationId)
    .where("task_issues.connection_id", "=", connectionId)
    .where("task_issues.issue_id", "=", issueId);
