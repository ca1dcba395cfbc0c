import type { Database } from "@grove/db";
import type { Change } from "@grove/integrations";
import { id as idSchema } from "@grove/schemas";
import { type SqlBool, sql, type Transaction } from "kysely";
import { closedIn } from "./closingKeywords";
import { isRepo, renameIn } from "./webhookRepo";

const MAX_TASKS = 20;

/** The default branches of a repository whose own is unknown. */
const USUAL_DEFAULTS = ["main", "master"];

type Merged = Extract<Change, { kind: "pull_request_merged" }>;

/**
 * The tasks that a merged pull request completes, locked: those with its `prUrl`, those with its `branch`, and those
 * that its title or description closes. Each has no project, or a project of the repository. A merge into another
 * branch than the default one of the repository or of the task's project completes none.
 * @param repo the repository, by the name that Grove has for it
 */
export async function namedTasks(
  trx: Transaction<Database>,
  organizationId: string,
  merged: Merged,
  repo: Merged["repo"],
) {
  const names = closedIn(merged);
  const ids = names.filter((name) => idSchema.safeParse(name).success);
  const urls = [...new Set([merged.url, renameIn(merged.url, merged.repo, repo)])];
  const { baseBranch, defaultBranch } = merged;
  const hostDefaults = defaultBranch === null ? USUAL_DEFAULTS : [defaultBranch];
  const isDelivered = hostDefaults.includes(baseBranch);
  return trx
    .selectFrom("tasks")
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .leftJoin("projects", (join) =>
      join
        .onRef("projects.organization_id", "=", "tasks.organization_id")
        .onRef("projects.id", "=", "tasks.project_id"),
    )
    .select(["tasks.id", "tasks.pr_url", "task_statuses.type as status_type"])
    .where("tasks.organization_id", "=", organizationId)
    .where("tasks.deleted_at", "is", null)
    .where(sql<SqlBool>`(tasks.project_id is null or ${isRepo("projects", repo)})`)
    .where(({ or, eb, lit }) => or([lit(isDelivered), eb("projects.default_branch", "=", baseBranch)]))
    .where(({ or, eb }) =>
      or([
        eb("tasks.pr_url", "=", sql<string>`any(${urls}::text[])`),
        ...(merged.headBranch === null ? [] : [eb("tasks.branch", "=", merged.headBranch)]),
        eb("tasks.slug", "=", sql<string>`any(${names}::text[])`),
        eb("tasks.id", "=", sql<string>`any(${ids}::uuid[])`),
      ]),
    )
    .orderBy("tasks.id")
    .limit(MAX_TASKS)
    .forUpdate("tasks")
    .execute();
}
