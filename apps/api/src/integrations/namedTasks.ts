import type { Database } from "@grove/db";
import type { Change } from "@grove/integrations";
import { id as idSchema } from "@grove/schemas";
import { sql, type Transaction } from "kysely";

const MAX_NAMES = 20;

/**
 * Matches "Closes task fix-login": a task is named by its slug or its id, and by nothing that prose contains by chance.
 */
const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|complete[sd]?):?\s+task:?\s+[#`"]?([a-z0-9][a-z0-9-]{0,79})/gi;

/** The slugs and ids of the tasks that a pull request's text closes. */
const closedIn = (text: string): string[] => {
  const names = [...text.matchAll(closing)].map(([, name = ""]) => name.toLowerCase().replace(/-+$/, ""));
  return [...new Set(names)].slice(0, MAX_NAMES);
};

/**
 * The tasks that a pull request names, locked: those with its `prUrl`; those with its `branch`, in the task's project
 * if it has one; and those that its title or description closes.
 */
export async function namedTasks(
  trx: Transaction<Database>,
  organizationId: string,
  merged: Extract<Change, { kind: "pull_request_merged" }>,
) {
  const names = closedIn(`${merged.title}\n${merged.body}`);
  const ids = names.filter((name) => idSchema.safeParse(name).success);
  const isOfRepo = sql<boolean>`(tasks.project_id is null or exists (
    select from projects where projects.organization_id = ${organizationId} and projects.id = tasks.project_id
      and lower(projects.repo_owner) = ${merged.repo.owner.toLowerCase()}
      and lower(projects.repo_name) = ${merged.repo.name.toLowerCase()}))`;
  return trx
    .selectFrom("tasks")
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .select(["tasks.id", "tasks.pr_url", "task_statuses.type as status_type"])
    .where("tasks.organization_id", "=", organizationId)
    .where("tasks.deleted_at", "is", null)
    .where(({ or, eb, and }) =>
      or([
        eb("tasks.pr_url", "=", merged.url),
        ...(merged.headBranch === null ? [] : [and([eb("tasks.branch", "=", merged.headBranch), isOfRepo])]),
        eb("tasks.slug", "=", sql<string>`any(${names}::text[])`),
        eb("tasks.id", "=", sql<string>`any(${ids}::uuid[])`),
      ]),
    )
    .orderBy("tasks.id")
    .limit(MAX_NAMES)
    .forUpdate("tasks")
    .execute();
}
