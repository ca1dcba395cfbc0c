import { recordAudit } from "@grove/auth";
import type { Database, MergeIntentTable } from "@grove/db";
import { MERGE_WAIT_HOURS, type MergeEndReason } from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { enqueueMergeEnd } from "../../notifications/enqueueMergeEnd";
import type { Services } from "../../services";
import type { PullTarget } from "../pulls/pullTarget";
import { selectApprovals } from "../pulls/readPull";
import { touchChange } from "../touch";

/*
 * The states of a merge request: `waiting` → `running` → `done`, or `queued` → `done`. Each of them except `done` can
 * become `ended`. Each function changes one row, and does nothing if the row's state has changed since it was read.
 */

/** The lease of a merge. Must exceed one merge and one read, each limited to 20 s. */
const LEASE = sql`interval '2 minutes'`;
/** After a pull request was added to the queue, the code host may take this long to report it there. */
const QUEUE_DELAY = sql`interval '1 minute'`;

export type MergeIntentRow = Selectable<MergeIntentTable>;
export type MergeEnd =
  | { status: "done" }
  | { status: "ended"; reason: MergeEndReason; detail: string | null };

/** A request that has not ended. */
export interface ActiveIntent extends MergeIntentRow {
  /** Whether a process is merging it. */
  is_leased: boolean;
  /** Whether it was queued so recently that the code host may not report it in the queue yet. */
  is_just_queued: boolean;
}

export const selectActive = (db: Kysely<Database>) =>
  db
    .selectFrom("merge_intents")
    .selectAll()
    .select([
      sql<boolean>`leased_until is not null and leased_until > now()`.as("is_leased"),
      sql<boolean>`queued_at is not null and queued_at > now() - ${QUEUE_DELAY}`.as("is_just_queued"),
    ])
    .where("status", "in", ["waiting", "running", "queued"]);

/** Claims a merge, unless another process has, or the approval was withdrawn in the meantime. */
export async function claim(
  db: Kysely<Database>,
  target: PullTarget,
  { id, head, base }: MergeIntentRow,
): Promise<boolean> {
  const claimed = await db
    .updateTable("merge_intents")
    .set({ status: "running", leased_until: sql<string>`now() + ${LEASE}` })
    .where("organization_id", "=", target.organizationId)
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .where("expires_at", ">", sql<string>`now()`)
    .where(({ exists }) => exists(selectApprovals(db, target, { head, baseBranch: base })))
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Records that a request's pull request is in the queue, even if someone else added it there. */
export async function markQueued(
  db: Kysely<Database>,
  target: PullTarget,
  { id, status }: MergeIntentRow,
): Promise<void> {
  await db
    .updateTable("merge_intents")
    .set({
      status: "queued",
      leased_until: null,
      queued_at: sql<string>`now()`,
      expires_at: sql<string>`now() + ${sql.lit(`${MERGE_WAIT_HOURS} hours`)}::interval`,
    })
    .where("organization_id", "=", target.organizationId)
    .where("id", "=", id)
    .where("status", "=", status)
    .execute();
  await touchChange(db, target);
}

export async function waitAgain(
  db: Kysely<Database>,
  { organization_id, id }: MergeIntentRow,
): Promise<void> {
  await db
    .updateTable("merge_intents")
    .set({ status: "waiting", leased_until: null })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("status", "=", "running")
    .execute();
}

/** Ends the lease, so that the next read of the pull request settles the merge. */
export async function endLease(db: Kysely<Database>, { organization_id, id }: MergeIntentRow): Promise<void> {
  await db
    .updateTable("merge_intents")
    .set({ leased_until: sql<string>`now()` })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("status", "=", "running")
    .execute();
}

/**
 * Records how a request ended, and notifies the person who made it. A request that ended without a merge is also
 * recorded in the audit log. Does nothing if the request's status has changed.
 */
export const endIntent = (
  { database: { db } }: Pick<Services, "database">,
  { id, organization_id: organizationId, change_id: changeId, status, ...intent }: MergeIntentRow,
  end: MergeEnd,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable("merge_intents")
      .set({ ...end, leased_until: null, ended_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("status", "=", status)
      .returning("id")
      .executeTakeFirst();
    if (!ended) return;
    await enqueueMergeEnd(trx, organizationId, id);
    await touchChange(trx, { organizationId, changeId });
    if (end.status === "done") return;
    const { requested_by: requestedBy, head, base, number, method } = intent;
    await recordAudit(
      trx,
      { kind: "system" },
      {
        organizationId,
        action: "workspace.change.mergeEnded",
        target: { type: "change", id: changeId },
        // Without `detail`, which may contain names chosen by outsiders.
        metadata: { requestedBy, head, base, number, method, reason: end.reason },
      },
    );
  });
