import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { CheckedPull } from "@grove/integrations";
import { MERGE_WAIT_HOURS, type MergeEndReason, type PullBlock, pullBlock } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Services } from "../../services";
import { touchChange } from "../touch";
import { mergeCommit } from "./merge";
import { isMergeable, isQueued, isTransient, obstacleOf } from "./mergeBlocks";
import { endIntent, type MergeEnd, type MergeIntentRow } from "./mergeIntents";
import type { PullTarget } from "./pullTarget";
import { readPull, selectApprovals } from "./read";
import { gateFailed } from "./requireGate";

/** The lease of a merge. It must outlast one merge and one read, each limited to 20 s. */
const LEASE = sql`interval '2 minutes'`;
/** How long after its expiry a running merge is given up if its outcome cannot be read. */
const UNREAD = sql`interval '1 hour'`;
/** How long after a pull request was added to the queue its code host may not yet report that. */
const QUEUE_DELAY = sql`interval '1 minute'`;
const BATCH = 100;

interface ActiveIntent extends MergeIntentRow {
  /** Whether a process merges it now. */
  is_leased: boolean;
  /** Whether the code host may not yet report that it is in the queue. */
  is_just_queued: boolean;
}

const selectActive = (db: Kysely<Database>) =>
  db
    .selectFrom("merge_intents")
    .selectAll()
    .select([
      sql<boolean>`leased_until is not null and leased_until > now()`.as("is_leased"),
      sql<boolean>`queued_at is not null and queued_at > now() - ${QUEUE_DELAY}`.as("is_just_queued"),
    ])
    .where("status", "in", ["waiting", "running", "queued"]);

/**
 * Merges a pull request that was just read, if a person asked for that and its checks have passed. If it cannot be
 * merged any longer, the request ends. Any number of processes may call it at the same time: one merges.
 */
export async function followMerge(services: Services, target: PullTarget, found: CheckedPull): Promise<void> {
  const { db } = services.database;
  const intent: ActiveIntent | undefined = await selectActive(db)
    .where("organization_id", "=", target.organizationId)
    .where("change_id", "=", target.changeId)
    .where("number", "=", found.pull.number)
    .executeTakeFirst();
  if (!intent || intent.is_leased) return;
  if (intent.status !== "queued" && intent.head === found.pull.head && isQueued(found))
    return markQueued(db, target, intent);
  const end = await endOf(services, target, intent, found);
  if (end) return endIntent(services, intent, end);
  // The process that merged has ended, and nothing was merged.
  if (intent.status === "running") return waitAgain(db, intent);
  if (isMergeable(found) && (await claim(db, target, intent))) await run(services, target, intent, found);
}

/** Ends the requests that have waited too long, even if their code host does not respond. */
export async function endExpiredMerges(services: Services): Promise<void> {
  const expired = await selectActive(services.database.db)
    .where(
      sql<boolean>`expires_at + case status when 'running' then ${UNREAD} else interval '0' end <= now()`,
    )
    .where(sql<boolean>`(leased_until is null or leased_until <= now())`)
    .limit(BATCH)
    .execute();
  for (const intent of expired) await endIntent(services, intent, ended("expired"));
}

const ended = (reason: MergeEndReason, detail: string | null = null): MergeEnd => ({
  status: "ended",
  reason,
  detail,
});

/** Returns how a merge request ends, given the pull request. Undefined if it keeps waiting or can be merged. */
async function endOf(
  services: Services,
  target: PullTarget,
  intent: ActiveIntent,
  found: CheckedPull,
): Promise<MergeEnd | undefined> {
  if (intent.status === "queued") return endOfQueued(intent, found);
  const end = endByPull(intent, found);
  if (end) return isUnexplainedBlock(end) ? endOfReread(services, target, intent) : end;
  const { db } = services.database;
  if (!(await mayStillUse(db, intent))) return ended("not_allowed");
  if (await gateFailed(db, target, intent.head)) return ended("gate_failed");
  const approval = await selectApprovals(db, target, found.pull).executeTakeFirst();
  return approval ? undefined : ended("not_approved");
}

function endByPull({ head, base, method }: MergeIntentRow, found: CheckedPull): MergeEnd | undefined {
  const { pull, methods } = found;
  if (pull.head !== head) return ended("head_moved");
  if (pull.state === "merged") return { status: "done" };
  if (pull.baseBranch !== base) return ended("head_moved");
  const block = obstacleOf(found);
  if (block) return endByBlock(block);
  return methods.includes(method) ? undefined : ended("method_not_allowed");
}

/** Returns how a request ends whose pull request was added to the queue. Undefined if it is still there. */
function endOfQueued({ head, is_just_queued }: ActiveIntent, found: CheckedPull): MergeEnd | undefined {
  const { pull } = found;
  if (pull.head !== head) return ended("head_moved");
  if (pull.state === "merged") return { status: "done" };
  if (pull.state === "closed") return ended("closed");
  return isQueued(found) || is_just_queued ? undefined : ended("dequeued");
}

const endByBlock = ({ code, detail }: PullBlock): MergeEnd => ended(code, detail === "" ? null : detail);

/**
 * Whether the code host gave no known reason. It may report stale checks just after they pass, so the pull request is
 * read again.
 */
const isUnexplainedBlock = (end: MergeEnd): boolean => end.status === "ended" && end.reason === "provider";

async function endOfReread(
  services: Services,
  target: PullTarget,
  intent: MergeIntentRow,
): Promise<MergeEnd | undefined> {
  const again = await readPull(services, target);
  return again?.pull.number === intent.number ? endByPull(intent, again) : undefined;
}

/** Whether the person who asked is still a member who may act on the change; as `requireChangeUse`. */
async function mayStillUse(
  db: Kysely<Database>,
  { organization_id, change_id, requested_by }: MergeIntentRow,
): Promise<boolean> {
  const { rows } = await sql`
    select from memberships as member
    join users on users.id = member.user_id and users.disabled_at is null
    join changes on changes.organization_id = member.organization_id and changes.id = ${change_id}
    left join workspaces as workspace
      on workspace.organization_id = changes.organization_id and workspace.id = changes.workspace_id
    left join devices as device
      on device.organization_id = workspace.organization_id and device.id = workspace.device_id
    where member.organization_id = ${organization_id} and member.user_id = ${requested_by}
      and case when device.id is null then member.role in ('admin', 'owner')
        else device.shared or device.owner_id = member.user_id end`.execute(db);
  return rows.length > 0;
}

/** Begins a merge, unless another process does, or the approval was withdrawn in the meantime. */
async function claim(
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

/** Records that the pull request of a request is in the queue, perhaps because someone added it there. */
async function markQueued(
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

async function waitAgain(db: Kysely<Database>, { organization_id, id }: MergeIntentRow): Promise<void> {
  await db
    .updateTable("merge_intents")
    .set({ status: "waiting", leased_until: null })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("status", "=", "running")
    .execute();
}

/** Makes the next read of the pull request settle the merge. */
async function endLease(db: Kysely<Database>, { organization_id, id }: MergeIntentRow): Promise<void> {
  await db
    .updateTable("merge_intents")
    .set({ leased_until: sql<string>`now()` })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("status", "=", "running")
    .execute();
}

/** Merges a claimed request, and records how it ended. */
async function run(
  services: Services,
  target: PullTarget,
  intent: MergeIntentRow,
  found: CheckedPull,
): Promise<void> {
  const running: MergeIntentRow = { ...intent, status: "running" };
  const { db } = services.database;
  try {
    const actor = { kind: "user", userId: intent.requested_by } as const;
    const { outcome } = await mergeCommit(services, actor, target, { found, method: intent.method });
    if (outcome === "queued") return markQueued(db, target, running);
  } catch (error) {
    if (!(error instanceof GroveError) || error.reason === "outcome_unknown") {
      await endLease(db, running);
      throw error;
    }
    const end = endByFailure(error);
    return end ? endIntent(services, running, end) : waitAgain(db, running);
  }
  await endIntent(services, running, { status: "done" });
}

/** How a refused merge ends; undefined if it waits for another try. */
function endByFailure({ reason, details }: GroveError): MergeEnd | undefined {
  if (reason === "provider_unavailable" || reason === "rate_limited") return undefined;
  if (reason === "head_moved") return ended("head_moved");
  if (reason !== "blocked") return ended("provider_refused", reason ?? null);
  const block = z
    .array(pullBlock)
    .parse(details?.blocks)
    .find((one) => !isTransient(one));
  return block && endByBlock(block);
}
