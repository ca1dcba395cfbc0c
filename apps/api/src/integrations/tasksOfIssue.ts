import type { Database } from "@grove/db";
import type { Transaction } from "kysely";

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
