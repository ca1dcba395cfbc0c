import { GroveError } from "@grove/auth";
import type { CheckedPull } from "@grove/integrations";
import { sql } from "kysely";
import type { Services } from "../../services";
import type { PullTarget } from "../pulls/pullTarget";
import { isMergeable, isQueued } from "./blocks";
import { endByFailure, endOf, endWithoutMerge } from "./ends";
import {
  type ActiveIntent,
  claim,
  endIntent,
  endLease,
  type MergeIntentRow,
  markQueued,
  selectActive,
  waitAgain,
} from "./intents";
import { mergeCommit } from "./merge";

/** A running merge whose outcome cannot be read is given up this long after it expires. */
const UNKNOWN_OUTCOME_GRACE = sql`interval '1 hour'`;
const BATCH = 100;

/**
 * Merges a pull request that was just read, if a person requested that and its checks have passed. Ends the request if
 * the pull request can no longer be merged. Several processes may call this at the same time: only one merges.
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
  // The process that claimed the merge has ended, and nothing was merged.
  if (intent.status === "running") return waitAgain(db, intent);
  if (isMergeable(found) && (await claim(db, target, intent))) await run(services, target, intent, found);
}

/** Ends expired requests, even if their code host does not respond. */
export async function endExpiredMerges(services: Services): Promise<void> {
  const expired = await selectActive(services.database.db)
    .where(
      sql<boolean>`expires_at + case status when 'running' then ${UNKNOWN_OUTCOME_GRACE} else interval '0' end <= now()`,
    )
    .where(sql<boolean>`(leased_until is null or leased_until <= now())`)
    .limit(BATCH)
    .execute();
  for (const intent of expired) await endIntent(services, intent, endWithoutMerge("expired"));
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
