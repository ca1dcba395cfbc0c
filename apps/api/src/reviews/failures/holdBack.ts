import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { touchChange } from "../../changes/touch";
import { enqueueFailedChecks } from "../../notifications/enqueueFailedChecks";
import type { FailedHead } from "./failedHead";

type Failed<Kind> = Extract<FailedHead, { kind: Kind }>;

/**
 * Holds failed checks or a failed gate back from agents, for a person to fix. Notifies people once for each commit, and
 * about the gate once for the same files.
 */
export async function holdBack(db: Kysely<Database>, failed: FailedHead, reason: HeldReason): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const held = await (failed.kind === "gate"
      ? holdBackGate(trx, failed, reason)
      : holdBackChecks(trx, failed, reason));
    if (!held) return;
    await touchChange(trx, failed);
    const { organizationId, changeId } = failed;
    const head = failed.kind === "gate" ? `gate ${failed.filesId}` : failed.head;
    if (held.isNew) await enqueueFailedChecks(trx, { organizationId, changeId, head });
  });
}

/** @returns undefined if the gate is held back already, or has run again */
async function holdBackGate(
  trx: Transaction<Database>,
  { organizationId, changeId, commandId }: Failed<"gate">,
  reason: HeldReason,
): Promise<{ isNew: boolean } | undefined> {
  const held = await trx
    .updateTable("changes")
    .set({ gate_held_reason: reason })
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId)
    .where("gate_command_id", "=", commandId)
    .where("gate_state", "=", "failed")
    .where("gate_held_reason", "is", null)
    .returning("id")
    .executeTakeFirst();
  return held && { isNew: true };
}

/** @returns undefined if the checks are held back for that reason already, or if there are newer ones */
async function holdBackChecks(
  trx: Transaction<Database>,
  { organizationId, changeId, head }: Failed<"checks">,
  reason: HeldReason,
): Promise<{ isNew: boolean } | undefined> {
  const { rows } = await sql<{ isNew: boolean }>`
    with before as (
      select organization_id, id, held_checks_head from pull_requests
      where organization_id = ${organizationId} and change_id = ${changeId}
        and checked_head = ${head} and checks = 'failed'
        and (held_checks_head, held_checks_reason) is distinct from (${head}, ${reason})
      for no key update)
    update pull_requests as pull set held_checks_head = ${head}, held_checks_reason = ${reason}
    from before where pull.organization_id = before.organization_id and pull.id = before.id
    returning before.held_checks_head is distinct from ${head} as "isNew"`.execute(trx);
  return rows.find(({ isNew }) => isNew) ?? rows[0];
}
