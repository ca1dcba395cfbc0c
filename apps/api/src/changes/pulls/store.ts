import { GroveError } from "@grove/auth";
import type { CheckedPull, Pull } from "@grove/integrations";
import type { ChecksSummary, PullCheck } from "@grove/schemas";
import { sql } from "kysely";
import { repositoryOfProject } from "../../integrations/repositories";
import { milliseconds } from "../../lib/interval";
import type { Services } from "../../services";
import { firstStatusOf } from "../../tasks/lockReferences";
import { ChangedTasks } from "../changedTasks";
import { isQueued } from "../merges/blocks";
import { touchChange } from "../touch";
import { applyPull } from "./applyPullDelivery";
import { pullPollTimes } from "./pollTimes";
import type { PullTarget } from "./pullTarget";

/**
 * Records a pull request as the code host described it in a response, links it to its change, and completes tasks as a
 * delivery would. Does nothing if the row is up to date.
 * @throws {GroveError} PRECONDITION_FAILED `remote_mismatch` if the repository is not the project's
 */
export async function storePull(
  { database: { db } }: Pick<Services, "database">,
  { organizationId, changeId, projectId, connection }: PullTarget,
  pull: Pull,
): Promise<void> {
  const known = await db
    .selectFrom("pull_requests")
    .innerJoin("repositories", (join) =>
      join
        .onRef("repositories.organization_id", "=", "pull_requests.organization_id")
        .onRef("repositories.id", "=", "pull_requests.repository_id"),
    )
    .select("pull_requests.id")
    .where("pull_requests.organization_id", "=", organizationId)
    .where("pull_requests.change_id", "=", changeId)
    .where("pull_requests.number", "=", pull.number)
    .where("pull_requests.state", "=", pull.state)
    .where("pull_requests.base", "=", pull.baseBranch)
    .where("pull_requests.updated_at", ">=", pull.asOf?.toISOString() ?? "infinity")
    .where("repositories.external_id", "=", pull.repo.id)
    .executeTakeFirst();
  if (known) return;
  await db.transaction().execute(async (trx) => {
    const changed = new ChangedTasks(trx, organizationId);
    // Locked before the tasks, as in every transaction that changes the status of a task.
    const status = await firstStatusOf(trx, organizationId, "completed");
    const repo = await repositoryOfProject(trx, connection, projectId, pull.repo);
    if (!repo)
      throw new GroveError(
        "PRECONDITION_FAILED",
        "The code host has another repository under the project's name than before. Correct the project's repository.",
        { reason: "remote_mismatch" },
      );
    await applyPull(changed, trx, { organizationId, status, repo, pull, receivedAt: new Date() });
    await changed.record();
  });
}

/**
 * Records a pull request with its checks, as the code host described them in a response. If they differ from the last
 * response, the change's `updated_at` is renewed, and the pull request is read again soon.
 * @throws {GroveError} what {@link storePull} throws
 */
export async function storeCheckedPull(
  services: Pick<Services, "database">,
  target: PullTarget,
  { pull, checks, mergeable, blocks }: CheckedPull,
): Promise<void> {
  await storePull(services, target, pull);
  const { db } = services.database;
  const { organizationId, changeId } = target;
  const hasConflicts = blocks.some(({ code }) => code === "conflicts");
  const queued = isQueued({ blocks });
  const { rows } = await sql`
    update pull_requests
    set checked_head = ${pull.head}, checks = ${summaryOf(checks)}, mergeable = ${mergeable},
      has_conflicts = ${hasConflicts}, is_queued = ${queued},
      poll_at = least(poll_at, now() + ${milliseconds(pullPollTimes.checkingMs)})
    where organization_id = ${organizationId} and change_id = ${changeId} and number = ${pull.number}
      and (checked_head, checks, mergeable, has_conflicts, is_queued) is distinct from
        (${pull.head}, ${summaryOf(checks)}, ${mergeable}, ${hasConflicts}::boolean, ${queued}::boolean)
    returning id`.execute(db);
  if (rows.length > 0) await touchChange(db, { organizationId, changeId });
}

/** Returns the checks that decide whether to merge: the required ones, or all if none is required. */
export function decidingChecks(checks: readonly PullCheck[]): readonly PullCheck[] {
  const required = checks.filter((check) => check.required);
  return required.length > 0 ? required : checks;
}

/** Summarizes checks. A check whose state is unknown counts as running, since it is not known to have ended. */
function summaryOf(checks: readonly PullCheck[]): ChecksSummary {
  const states = new Set(decidingChecks(checks).map(({ state }) => state));
  if (states.has("failed")) return "failed";
  if (states.has("running") || states.has("unknown")) return "running";
  return states.size > 0 ? "passed" : "none";
}
