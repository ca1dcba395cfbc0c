import type { Database, IntegrationEventTable } from "@grove/db";
import type { DeliveredChange } from "@grove/integrations";
import type { Selectable, Transaction } from "kysely";
import { ChangedTasks } from "../changes/changedTasks";
import { applyPullDelivery } from "../changes/pulls/applyPullDelivery";
import { applyChecksDelivery } from "../changes/pulls/schedulePoll";
import { repositoryOf } from "../integrations/repositories";
import { tasksOfIssue } from "../integrations/tasksOfIssue";
import { descriptionOf, titleOf } from "../integrations/taskTexts";
import { firstStatusOf } from "../tasks/lockReferences";
import { searchTextOf } from "../tasks/searchText";
import { statusTimestamps } from "../tasks/statusTimestamps";

type EventRow = Selectable<IntegrationEventTable>;

/**
 * Applies a delivery: a pull request's new state may complete tasks, a changed issue changes the task made from it, and
 * the projects of a renamed repository get its new name.
 * @returns a function that records the tasks' events; call it last in the transaction
 */
export async function applyChange(
  trx: Transaction<Database>,
  event: EventRow,
  change: DeliveredChange,
): Promise<() => Promise<void>> {
  const changed = new ChangedTasks(trx, event.organization_id);
  await apply(changed, trx, event, change);
  return () => changed.record();
}

async function apply(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  event: EventRow,
  change: DeliveredChange,
): Promise<void> {
  switch (change.kind) {
    case "issue_changed":
      return changeIssue(changed, trx, event, change);
    case "repository_moved": {
      const repo = await repositoryOf(trx, event, change.repo, change.from);
      for (const id of repo?.movedTasks ?? []) changed.touch(id);
      return;
    }
    case "checks_changed":
      return applyChecksDelivery(changed, trx, event, change);
    case "pull_request_changed":
      return applyPullDelivery(changed, trx, event, change);
  }
}

type IssueChanged = Extract<DeliveredChange, { kind: "issue_changed" }>;

async function changeIssue(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  { organization_id: organizationId, connection_id: connectionId }: EventRow,
  { issue }: IssueChanged,
): Promise<void> {
  if (connectionId === null) return;
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
  if (!linked) return;
  const [title, description] = [titleOf(issue), descriptionOf(issue)];
  await changed.change(linked.id, {
    title,
    description,
    search_text: searchTextOf(title, description),
    priority: issue.priority,
    // A status of the same type stays: a person may have chosen it.
    ...(status !== undefined &&
      linked.status_type !== issue.stateType && { status, ...statusTimestamps(issue.stateType) }),
  });
  await trx
    .updateTable("task_issues")
    .set({ issue_updated_at: new Date(issue.updatedAt) })
    .where("organization_id", "=", organizationId)
    .where("connection_id", "=", connectionId)
    .where("issue_id", "=", issue.id)
    .execute();
}
