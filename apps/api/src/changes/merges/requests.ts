import { GroveError, recordAudit, type SessionPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type { Pull } from "@grove/integrations";
import { MERGE_WAIT_HOURS, type MergeEndReason, type MergeIntent, type MergeMethod } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { milliseconds } from "../../lib/interval";
import { enqueueMergeEnd } from "../../notifications/enqueueMergeEnd";
import type { Services } from "../../services";
import { pullPollTimes } from "../pulls/pollTimes";
import { requireChangeUse } from "../pulls/pullTarget";
import type { ChangeKey } from "../row";
import { touchChange } from "../touch";

/**
 * Records that a pull request is to be merged once its checks have passed, or that it was added to the code host's
 * queue. It replaces the caller's earlier request.
 * @throws {GroveError} CONFLICT `already_asked` if another member has requested it, `too_late` if it is being merged.
 * No error if it is already queued: the earlier request then tracks it
 */
export async function requestMerge(
  { database: { db }, config }: Pick<Services, "database" | "config">,
  principal: SessionPrincipal,
  { organizationId, changeId }: ChangeKey,
  {
    pull: { number, head, baseBranch: base },
    method,
    status,
  }: { pull: Pull; method: MergeMethod; status: "waiting" | "queued" },
): Promise<void> {
  const changeKey = { organizationId, changeId };
  const { checkingMs } = { ...pullPollTimes, ...config.pullPolling };
  await db.transaction().execute(async (trx) => {
    await endWaiting(trx, changeKey, "replaced").where("requested_by", "=", principal.user.id).execute();
    const added = await trx
      .insertInto("merge_intents")
      .values({
        id: newId(),
        organization_id: organizationId,
        change_id: changeId,
        requested_by: principal.user.id,
        number,
        head,
        base,
        method,
        status,
        queued_at: status === "queued" ? sql<string>`now()` : null,
        expires_at: sql<string>`now() + ${sql.lit(`${MERGE_WAIT_HOURS} hours`)}::interval`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added && status === "waiting") throw await conflictOf(trx, changeKey);
    await trx
      .updateTable("pull_requests")
      .set({ poll_at: sql<string>`least(poll_at, now() + ${milliseconds(checkingMs)})` })
      .where("organization_id", "=", organizationId)
      .where("change_id", "=", changeId)
      .where("number", "=", number)
      .execute();
    await touchChange(trx, changeKey);
    if (status === "queued") return;
    await recordAudit(trx, principal, {
      organizationId,
      action: "workspace.change.merge",
      target: { type: "change", id: changeId },
      metadata: { head, base, number, method, outcome: status },
    });
  });
}

/** Ends the change's waiting merge request. */
const endWaiting = (trx: Transaction<Database>, changeKey: ChangeKey, reason: MergeEndReason) =>
  trx
    .updateTable("merge_intents")
    .set({ status: "ended", reason, ended_at: sql<string>`now()` })
    .where("organization_id", "=", changeKey.organizationId)
    .where("change_id", "=", changeKey.changeId)
    .where("status", "=", "waiting");

/** Returns the error for a second request. */
async function conflictOf(db: Kysely<Database>, changeKey: ChangeKey): Promise<GroveError> {
  const last = await newestIntent(db, changeKey).executeTakeFirst();
  if (last?.status !== "waiting") return tooLate(last?.status);
  return new GroveError(
    "CONFLICT",
    `${last.name} already requested a merge for when the checks pass. Cancel that request first.`,
    { reason: "already_asked", details: { name: last.name, at: last.created_at } },
  );
}

const tooLate = (status: MergeIntent["status"] | undefined) =>
  new GroveError(
    "CONFLICT",
    status === "queued"
      ? "The pull request is in the merge queue. Remove it from the queue at the code host."
      : "Grove has begun to merge the pull request. Read its state again.",
    { reason: "too_late" },
  );

/**
 * Cancels a change's request to merge once its checks pass. Does nothing if there is no such request.
 * @throws {GroveError} what {@link requireChangeUse} throws; CONFLICT `too_late` if the pull request is in the queue,
 * is being merged, or was merged
 */
export async function cancelMerge(
  { database: { db } }: Pick<Services, "database">,
  principal: SessionPrincipal,
  changeKey: ChangeKey,
): Promise<void> {
  await requireChangeUse(db, principal, changeKey);
  await db.transaction().execute(async (trx) => {
    const canceled = await endWaiting(trx, changeKey, "canceled")
      .returning(["id", "requested_by", "head", "number"])
      .executeTakeFirst();
    if (!canceled) {
      const last = await newestIntent(trx, changeKey).executeTakeFirst();
      if (last && last.status !== "ended") throw tooLate(last.status);
      return;
    }
    const { id, requested_by, head, number } = canceled;
    if (requested_by !== principal.user.id) await enqueueMergeEnd(trx, changeKey.organizationId, id);
    await touchChange(trx, changeKey);
    await recordAudit(trx, principal, {
      organizationId: changeKey.organizationId,
      action: "workspace.change.cancelMerge",
      target: { type: "change", id: changeKey.changeId },
      metadata: { head, number },
    });
  });
}

/** The newest request to merge a change, with the name of the person who made it. */
const newestIntent = (db: Kysely<Database>, { organizationId, changeId }: ChangeKey) =>
  db
    .selectFrom("merge_intents")
    .innerJoin("users", "users.id", "merge_intents.requested_by")
    .selectAll("merge_intents")
    .select("users.name")
    .where("merge_intents.organization_id", "=", organizationId)
    .where("merge_intents.change_id", "=", changeId)
    .orderBy("merge_intents.created_at", "desc")
    .orderBy("merge_intents.id", "desc")
    .limit(1);

/** The last request to merge a pull request, as the API returns it. */
export async function lastMergeIntent(
  db: Kysely<Database>,
  changeKey: ChangeKey,
  number: number,
): Promise<MergeIntent | null> {
  const row = await newestIntent(db, changeKey).where("merge_intents.number", "=", number).executeTakeFirst();
  if (!row) return null;
  const { requested_by, name, head, method, status, reason, detail, created_at, expires_at } = row;
  return {
    userId: requested_by,
    name,
    head,
    method,
    status,
    reason,
    detail,
    at: created_at,
    expiresAt: expires_at,
  };
}
