import { type Database, newId } from "@grove/db";
import type { PullState } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { CLOCK_SKEW } from "../lib/clockSkew";
import { touchChange } from "./touch";

/** The most pull requests whose commits one merge carries into further branches. */
const MAX_CARRIED = sql.lit(500);

/** A pull request as a delivery describes it. */
export interface DeliveredPull {
  repositoryId: string;
  number: number;
  url: string | null;
  state: PullState;
  /** Null for a fork's branch. */
  head: string | null;
  base: string;
  asOf: Date;
  mergedAt: Date | null;
  isRevert: boolean;
}

/** A pull request whose row a delivery has changed. */
export interface ChangedPull {
  id: string;
  changeId: string | null;
  /** The state before; null if the pull request was unknown. */
  formerState: PullState | null;
}

/**
 * Records what a delivery reports of a pull request, and links it to the change of its branch. The caller has locked
 * the repository's row, so that deliveries of one repository wait for one another.
 * @returns undefined if nothing was changed: the delivery is older than the row, or the pull request was already merged
 */
export async function recordPullRequest(
  trx: Transaction<Database>,
  organizationId: string,
  pull: DeliveredPull,
): Promise<ChangedPull | undefined> {
  const known = await trx
    .selectFrom("pull_requests")
    .select(["id", "change_id", "state"])
    .select(sql<boolean>`updated_at > ${pull.asOf}`.as("is_newer"))
    .where("organization_id", "=", organizationId)
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .forUpdate()
    .executeTakeFirst();
  const isOutdated = known?.state === "merged" || (known?.is_newer && pull.state !== "merged");
  if (isOutdated) return undefined;
  const changeId = known?.change_id ?? (await changeOfPull(trx, organizationId, pull));
  const fields = {
    change_id: changeId,
    url: pull.url,
    state: pull.state,
    head: pull.head,
    base: pull.base,
    updated_at: pull.asOf,
    merged_at: pull.state === "merged" ? (pull.mergedAt ?? pull.asOf) : null,
  };
  if (changeId !== null) await touchChange(trx, { organizationId, changeId });
  if (known) {
    await trx
      .updateTable("pull_requests")
      .set(fields)
      .where("organization_id", "=", organizationId)
      .where("id", "=", known.id)
      .execute();
    return { id: known.id, changeId, formerState: known.state };
  }
  const [id, repository_id] = [newId(), pull.repositoryId];
  await trx
    .insertInto("pull_requests")
    .values({ id, organization_id: organizationId, repository_id, number: pull.number, ...fields })
    .execute();
  return { id, changeId, formerState: null };
}

/**
 * Finds the newest change of the pull request's branch. Branch names are reused: ignores changes created after the pull
 * request ended, and, for a revert, changes whose pull request was merged.
 */
async function changeOfPull(
  trx: Transaction<Database>,
  organizationId: string,
  { repositoryId, head, state, asOf, mergedAt, isRevert }: DeliveredPull,
): Promise<string | null> {
  if (head === null) return null;
  const endedAt = state === "merged" || state === "closed" ? (mergedAt ?? asOf) : null;
  const { rows } = await sql<{ id: string }>`
    select change.id from changes as change
    join projects as project on project.organization_id = change.organization_id and project.id = change.project_id
    where change.organization_id = ${organizationId} and project.repository_id = ${repositoryId}
      and change.branch = ${head}
      and (${endedAt}::timestamptz is null or change.created_at <= ${endedAt}::timestamptz + ${CLOCK_SKEW})
      and not (${isRevert} and exists (
        select from pull_requests as earlier
        where earlier.organization_id = ${organizationId} and earlier.change_id = change.id
          and earlier.state = 'merged'))
    order by change.created_at desc, change.id desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

/**
 * Links a pull request that names a task to the task's change in that repository: its branch may have another name
 * there. Links nothing unless exactly one change has no pull request.
 */
export async function linkNamedChange(
  trx: Transaction<Database>,
  organizationId: string,
  { id, repositoryId, taskId }: { id: string; repositoryId: string; taskId: string },
): Promise<boolean> {
  const { rows } = await sql`
    with candidate as (
      select change.id from changes as change
      join projects as project on project.organization_id = change.organization_id and project.id = change.project_id
      where change.organization_id = ${organizationId} and change.task_id = ${taskId}
        and project.repository_id = ${repositoryId}
        and not exists (select from pull_requests as other
          where other.organization_id = ${organizationId} and other.change_id = change.id)
      limit 2)
    update pull_requests set change_id = (select id from candidate)
    where organization_id = ${organizationId} and id = ${id} and change_id is null
      and (select count(*) from candidate) = 1
    returning id`.execute(trx);
  return rows.length > 0;
}

/** A pull request whose commits a merge has brought into further branches. */
interface CarriedPull {
  id: string;
  url: string | null;
  head: string | null;
}

export interface Reach {
  /** The merged pull request, and those that had been merged into its branch. */
  carried: CarriedPull[];
  /** The branches that contain the commits of the carried pull requests. */
  bases: string[];
}

/**
 * Follows merges upward: returns every branch that contains the commits of a merged pull request. Deliveries may arrive
 * out of order, so a later merge may be known already.
 */
export async function reachOf(
  trx: Transaction<Database>,
  organizationId: string,
  id: string,
): Promise<Reach> {
  const merged = sql`organization_id = ${organizationId} and state = 'merged'`;
  const { rows: onward } = await sql<{ base: string }>`
    with recursive onward as (
      select id, repository_id, base, merged_at from pull_requests where id = ${id} and ${merged}
      union
      select next.id, next.repository_id, next.base, next.merged_at
      from onward join (select * from pull_requests where ${merged}) as next
        on next.repository_id = onward.repository_id and next.head = onward.base
          and next.merged_at >= onward.merged_at)
    select distinct base from (select base from onward limit ${MAX_CARRIED}) as reached`.execute(trx);
  const { rows: carried } = await sql<CarriedPull>`
    with recursive carried as (
      select id, repository_id, url, head, merged_at from pull_requests where id = ${id} and ${merged}
      union
      select former.id, former.repository_id, former.url, former.head, former.merged_at
      from carried join (select * from pull_requests where ${merged}) as former
        on former.repository_id = carried.repository_id and former.base = carried.head
          and former.merged_at <= carried.merged_at)
    select id, url, head from carried limit ${MAX_CARRIED}`.execute(trx);
  return { carried, bases: onward.map(({ base }) => base) };
}

/**
 * Marks the pull requests that have reached a done branch of their change's project.
 * @param hostDefaults the default branches of the repository
 * @returns the ids of their tasks
 */
export async function markDone(
  trx: Transaction<Database>,
  organizationId: string,
  { carried, bases }: Reach,
  hostDefaults: string[],
): Promise<string[]> {
  const isDelivered = hostDefaults.some((branch) => bases.includes(branch));
  const { rows } = await sql<{ task_id: string | null }>`
    update pull_requests as pull set done_at = now()
    from changes as change
    join projects as project on project.organization_id = change.organization_id and project.id = change.project_id
    where pull.organization_id = ${organizationId} and pull.id = any(${carried.map(({ id }) => id)}::uuid[])
      and pull.done_at is null
      and change.organization_id = ${organizationId} and change.id = pull.change_id
      and coalesce(project.done_branches && ${bases}::text[],
        ${isDelivered} or project.default_branch = any(${bases}::text[]))
    returning change.task_id`.execute(trx);
  return rows.flatMap(({ task_id }) => task_id ?? []);
}
