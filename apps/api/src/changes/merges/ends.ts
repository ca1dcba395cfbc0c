import type { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { CheckedPull } from "@grove/integrations";
import { type MergeEndReason, type PullBlock, pullBlock } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Services } from "../../services";
import type { PullTarget } from "../pulls/pullTarget";
import { readPull, selectApprovals } from "../pulls/readPull";
import { gateFailed } from "../pulls/requireGate";
import { isQueued, isTransient, obstacleOf } from "./blocks";
import type { ActiveIntent, MergeEnd, MergeIntentRow } from "./intents";

/** Returns the end of a request that did not merge. */
export const endWithoutMerge = (reason: MergeEndReason, detail: string | null = null): MergeEnd => ({
  status: "ended",
  reason,
  detail,
});

/** Returns how a merge request ends, given the pull request. Undefined if it keeps waiting or can be merged. */
export async function endOf(
  services: Services,
  target: PullTarget,
  intent: ActiveIntent,
  found: CheckedPull,
): Promise<MergeEnd | undefined> {
  if (intent.status === "queued") return endOfQueued(intent, found);
  const end = endByPull(intent, found);
  if (end) return isUnexplainedBlock(end) ? endOfReread(services, target, intent) : end;
  const { db } = services.database;
  if (!(await mayStillUse(db, intent))) return endWithoutMerge("not_allowed");
  if (await gateFailed(db, target, intent.head)) return endWithoutMerge("gate_failed");
  const approval = await selectApprovals(db, target, found.pull).executeTakeFirst();
  return approval ? undefined : endWithoutMerge("not_approved");
}

function endByPull({ head, base, method }: MergeIntentRow, found: CheckedPull): MergeEnd | undefined {
  const { pull, methods } = found;
  if (pull.head !== head) return endWithoutMerge("head_moved");
  if (pull.state === "merged") return { status: "done" };
  if (pull.baseBranch !== base) return endWithoutMerge("head_moved");
  const block = obstacleOf(found);
  if (block) return endByBlock(block);
  return methods.includes(method) ? undefined : endWithoutMerge("method_not_allowed");
}

/** Returns how a queued request ends. Undefined if its pull request is still in the queue. */
function endOfQueued({ head, is_just_queued }: ActiveIntent, found: CheckedPull): MergeEnd | undefined {
  const { pull } = found;
  if (pull.head !== head) return endWithoutMerge("head_moved");
  if (pull.state === "merged") return { status: "done" };
  if (pull.state === "closed") return endWithoutMerge("closed");
  return isQueued(found) || is_just_queued ? undefined : endWithoutMerge("dequeued");
}

const endByBlock = ({ code, detail }: PullBlock): MergeEnd =>
  endWithoutMerge(code, detail === "" ? null : detail);

/**
 * Whether the code host blocks the merge for no known reason. It may report stale checks just after they pass, so the
 * pull request is read again.
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

/** Whether the requester is still a member who may act on the change. Same rule as `requireChangeUse`. */
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

/** Returns how a refused merge ends; undefined if it will be retried. */
export function endByFailure({ reason, details }: GroveError): MergeEnd | undefined {
  if (reason === "provider_unavailable" || reason === "rate_limited") return undefined;
  if (reason === "head_moved") return endWithoutMerge("head_moved");
  if (reason !== "blocked") return endWithoutMerge("provider_refused", reason ?? null);
  const block = z
    .array(pullBlock)
    .parse(details?.blocks)
    .find((one) => !isTransient(one));
  return block && endByBlock(block);
}
