import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { TaskStatusType } from "@grove/schemas";
import type { Transaction } from "kysely";
import { notFound } from "../lib/notFound";

/** The key of the organization's first status of a type. Its row stays locked until the transaction ends. */
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
 * Locks the rows that a task is to refer to. Call it before the task itself is locked: deleting one of these rows
 * changes its tasks afterwards, and transactions that lock in different orders deadlock.
 * @returns the type of the status, if one is given
 * @throws {GroveError} NOT_FOUND for an assignee who is not a member, or another organization's project; BAD_REQUEST
 * `unknown_status`
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
    if (!member) throw assigneeNotFound(assigneeId);
  }
  if (projectId) {
    const project = await trx
      .selectFrom("projects")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("id", "=", projectId)
      .forKeyShare()
      .executeTakeFirst();
    if (!project) throw notFound("project", projectId);
  }
  if (status === undefined) return undefined;
  const row = await trx
    .selectFrom("task_statuses")
    .select("type")
    .where("organization_id", "=", organizationId)
    .where("key", "=", status)
    // Locked so that its type cannot change before the transaction ends.
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

const assigneeNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `The assignee ${id} is not a member of the organization.`, {
    details: { missing: "member" },
  });

export const unknownStatus = (key: string) =>
  new GroveError("BAD_REQUEST", `There is no status "${key}".`, {
    reason: "unknown_status",
  });
