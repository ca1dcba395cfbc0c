import type { UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Issue, type Task, type TrackerImportIssueInput, taskCreateInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { Quotas } from "../limits/quotas";
import type { Services } from "../services";
import { takeBytes } from "../tasks/byteQuota";
import { insertTask } from "../tasks/insert";
import { firstStatusOf } from "../tasks/lockReferences";
import { readTask } from "../tasks/row";
import { recordTaskEvent } from "../tasks/taskEvents";
import { callProvider } from "./call";
import { findConnection } from "./connections";
import type { ConnectionRow } from "./row";
import { tasksOfIssue } from "./tasksOfIssue";
import { descriptionOf, linkOf, titleOf } from "./taskTexts";

/**
 * Reads an issue, and returns the task that was made from it, or creates and links a new one.
 * @throws {GroveError} as every call of a provider; PRECONDITION_FAILED `quota_exceeded`
 */
export async function importIssue(
  services: Services,
  principal: UserPrincipal,
  input: TrackerImportIssueInput,
): Promise<Task> {
  const { db } = services.database;
  const connection = await findConnection(db, "tracker", input);
  const issue = await callProvider(services, "tracker", connection, (tracker) =>
    tracker.getIssue(input.issueId),
  );
  return db
    .transaction()
    .execute((trx) => taskOfIssue(trx, services.quotas, principal.user.id, connection, issue));
}

/** Only one of two concurrent callers creates the task. */
async function taskOfIssue(
  trx: Transaction<Database>,
  quotas: Quotas,
  creatorId: string,
  { organization_id: organizationId, id: connectionId }: ConnectionRow,
  issue: Issue,
): Promise<Task> {
  await trx
    .selectFrom("integration_connections")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", connectionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const linked = await tasksOfIssue(trx, { organizationId, connectionId, issueId: issue.id })
    .select(["tasks.id", "tasks.deleted_at"])
    .executeTakeFirst();
  if (linked && linked.deleted_at === null) return readTask(trx, organizationId, linked.id);
  await quotas.take(trx, "tasks", organizationId);
  const description = descriptionOf(issue) ?? undefined;
  await takeBytes(trx, quotas, organizationId, { description });
  const input = taskCreateInput.parse({
    organizationId,
    title: titleOf(issue),
    description,
    status: await firstStatusOf(trx, organizationId, issue.stateType),
    priority: issue.priority,
  });
  const task = await insertTask(trx, creatorId, input, linkOf(issue.url));
  await trx
    .insertInto("task_issues")
    .values({
      organization_id: organizationId,
      task_id: task.id,
      connection_id: connectionId,
      issue_id: issue.id,
      issue_updated_at: new Date(issue.updatedAt),
    })
    // The task linked before was deleted.
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "connection_id", "issue_id"]).doUpdateSet({
        task_id: task.id,
        issue_updated_at: new Date(issue.updatedAt),
        created_at: sql<string>`now()`,
      }),
    )
    .execute();
  await recordTaskEvent(trx, organizationId, { type: "created", task });
  return task;
}
