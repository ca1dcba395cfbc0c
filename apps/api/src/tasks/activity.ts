import type { UserPrincipal } from "@grove/auth";
import { type Database, newId, type TaskActivityTable } from "@grove/db";
import {
  type ActivityActorKind,
  type RecordedField,
  recordedField,
  type Task,
  type TaskActivity,
  type TaskFieldChange,
} from "@grove/schemas";
import { type Selectable, sql, type Transaction } from "kysely";

/** Changes by one actor within this time are one entry. */
const MERGED_WITHIN = sql`interval '5 minutes'`;

/** The author of a change. */
export interface ActivityActor {
  actor_kind: ActivityActorKind;
  actor_id: string | null;
}

export const actorOf = ({ kind, user }: UserPrincipal): ActivityActor => ({
  actor_kind: kind === "api_key" ? "api_key" : "user",
  actor_id: user.id,
});

/** A connected service, such as a code host whose pull request was merged. */
export const INTEGRATION: ActivityActor = { actor_kind: "integration", actor_id: null };

type Changes = NonNullable<TaskActivity["changes"]>;

/**
 * Records which fields of a task changed. The task's row is locked, so no other transaction records at the same time.
 * A change that is taken back within five minutes leaves no entry.
 */
export async function recordTaskChanges(
  trx: Transaction<Database>,
  { before, after, actor }: { before: Task; after: Task; actor: ActivityActor },
): Promise<void> {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return;
  const last = await trx
    .selectFrom("task_activity")
    .select(["id", "kind", "actor_kind", "actor_id", "changes"])
    .select(sql<boolean>`created_at > now() - ${MERGED_WITHIN}`.as("is_recent"))
    .where("organization_id", "=", after.organizationId)
    .where("task_id", "=", after.id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const isSameActor = last?.actor_kind === actor.actor_kind && last.actor_id === actor.actor_id;
  if (!last?.changes || last.changes.mergedInto || !last.is_recent || !isSameActor) {
    await trx
      .insertInto("task_activity")
      .values({
        id: newId(),
        organization_id: after.organizationId,
        task_id: after.id,
        ...actor,
        kind: "change",
        changes: JSON.stringify(changes),
      })
      .execute();
    return;
  }
  const merged = merge(last.changes, changes);
  const ofLast = { organization: after.organizationId, id: last.id };
  if (Object.keys(merged).length === 0)
    await trx
      .deleteFrom("task_activity")
      .where("organization_id", "=", ofLast.organization)
      .where("id", "=", ofLast.id)
      .execute();
  else
    await trx
      .updateTable("task_activity")
      .set({ changes: JSON.stringify(merged) })
      .where("organization_id", "=", ofLast.organization)
      .where("id", "=", ofLast.id)
      .execute();
}

/** Records that a pull request was merged and did not complete the task, in an entry of its own. */
export async function recordMerge(
  trx: Transaction<Database>,
  { organizationId, id }: Task,
  { from, to }: { from: string | null; to: string },
): Promise<void> {
  const changes: Changes = { mergedInto: { from, to } };
  await trx
    .insertInto("task_activity")
    .values({
      id: newId(),
      organization_id: organizationId,
      task_id: id,
      ...INTEGRATION,
      kind: "change",
      changes: JSON.stringify(changes),
    })
    .execute();
}

function changesBetween(before: Task, after: Task): Changes {
  const changes: Changes = {};
  for (const field of recordedField.options) {
    if (field === "mergedInto") continue;
    if (isEqual(before[field], after[field])) continue;
    changes[field] = field === "description" ? NOT_REPEATED : { from: before[field], to: after[field] };
  }
  return changes;
}

const NOT_REPEATED: TaskFieldChange = { from: null, to: null };

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The changes from before the earlier to after the later ones. */
function merge(earlier: Changes, later: Changes): Changes {
  const merged: Changes = { ...earlier };
  for (const [name, change] of Object.entries(later)) {
    const field = name as RecordedField;
    const from = earlier[field] ? earlier[field].from : change.from;
    if (field !== "description" && isEqual(from, change.to)) delete merged[field];
    else merged[field] = { from, to: change.to };
  }
  return merged;
}

export const toActivity = (row: Selectable<TaskActivityTable>): TaskActivity => ({
  id: row.id,
  taskId: row.task_id,
  kind: row.kind,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  body: row.body,
  changes: row.changes,
  createdAt: row.created_at,
  editedAt: row.edited_at,
});
