import type { Database } from "@grove/db";
import type { DeliveredChange } from "@grove/integrations";
import { id as idSchema } from "@grove/schemas";
import { type SqlBool, sql, type Transaction } from "kysely";
import { isRepo, renameIn } from "../../integrations/renameRepository";
import type { KnownRepo } from "../../integrations/repositories";
import type { Reach } from "../pullRequests";
import { closedTaskNames, isRevert } from "./closingKeywords";

const MAX_TASKS = 20;

const isOfRepo = (repo: KnownRepo) =>
  repo.id === null ? isRepo("projects", repo) : sql<boolean>`projects.repository_id = ${repo.id}`;

/**
 * Branch names are reused: a merge older than the task belongs to an earlier branch of that name. If the task has
 * another pull request, a revert from its branch reverts that pull request.
 */
const hasBranch = (merged: Pull, branch: string) =>
  sql<SqlBool>`(tasks.branch = ${branch} and not (${isRevert(merged)} and tasks.pr_url is not null)
    and tasks.created_at <= coalesce(${merged.mergedAt}::timestamptz, now()) + interval '1 minute')`;

type Pull = Extract<DeliveredChange, { kind: "pull_request_changed" }>;

interface Merge {
  /** The repository as Grove knows it. */
  repo: KnownRepo;
  reach: Reach;
  /** The default branches of the repository. */
  hostDefaults: string[];
}

/**
 * Locks and returns the tasks that a merged pull request names:
 * - tasks whose `prUrl` is that of the pull request, or of a pull request that was merged into its branch before;
 * - tasks with its `branch`;
 * - tasks that its title or description closes.
 *
 * Tasks of projects with another repository are ignored. `is_named` is false if only the branch names the task.
 * `is_done` is true if the merge reached one of the project's done branches. A project without done branches uses the
 * default branch of the repository or of the project.
 */
export async function namedTasks(
  trx: Transaction<Database>,
  organizationId: string,
  merged: Pull,
  { repo, reach: { carried, bases }, hostDefaults }: Merge,
) {
  const names = closedTaskNames(merged);
  const ids = names.filter((name) => idSchema.safeParse(name).success);
  const carriedUrls = carried.flatMap(({ url }) => url ?? []);
  const urls = [...new Set([merged.url, renameIn(merged.url, merged.repo, repo), ...carriedUrls])];
  const isDelivered = hostDefaults.some((branch) => bases.includes(branch));
  const isNamed = sql<boolean>`(tasks.pr_url is not distinct from ${merged.url} or tasks.slug = any(${names}::text[])
    or tasks.id = any(${ids}::uuid[]))`;
  return trx
    .selectFrom("tasks")
    .leftJoin("projects", (join) =>
      join
        .onRef("projects.organization_id", "=", "tasks.organization_id")
        .onRef("projects.id", "=", "tasks.project_id"),
    )
    .select(["tasks.id", "tasks.pr_url"])
    .select(
      sql<boolean>`coalesce(projects.done_branches && ${bases}::text[],
        ${isDelivered} or projects.default_branch = any(${bases}::text[]), false)`.as("is_done"),
    )
    .select(isNamed.as("is_named"))
    .where("tasks.organization_id", "=", organizationId)
    .where("tasks.deleted_at", "is", null)
    .where(sql<SqlBool>`(tasks.project_id is null or ${isOfRepo(repo)})`)
    .where(({ or, eb }) =>
      or([
        eb("tasks.pr_url", "=", sql<string>`any(${urls}::text[])`),
        ...(merged.headBranch === null ? [] : [hasBranch(merged, merged.headBranch)]),
        eb("tasks.slug", "=", sql<string>`any(${names}::text[])`),
        eb("tasks.id", "=", sql<string>`any(${ids}::uuid[])`),
      ]),
    )
    .orderBy("tasks.id")
    .limit(MAX_TASKS)
    .forUpdate("tasks")
    .execute();
}
