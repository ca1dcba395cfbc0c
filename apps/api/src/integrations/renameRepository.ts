import type { Database, IntegrationEventTable } from "@grove/db";
import type { DeliveredRepo, RepoRef } from "@grove/integrations";
import { type Selectable, sql, type Transaction } from "kysely";

type EventRow = Selectable<IntegrationEventTable>;

/** Whether a row's columns name a repository. Code hosts do not distinguish upper and lower case. */
export const isRepo = (table: "projects" | "integration_webhooks", { owner, name }: RepoRef) =>
  sql<boolean>`(lower(${sql.ref(`${table}.repo_owner`)}) = ${owner.toLowerCase()}
    and lower(${sql.ref(`${table}.repo_name`)}) = ${name.toLowerCase()})`;

const fullName = ({ owner, name }: RepoRef) => `${owner}/${name}`;

/** Whether two names are of one repository. */
export const isSameName = (a: RepoRef, b: RepoRef) => fullName(a).toLowerCase() === fullName(b).toLowerCase();

/** Returns an address with a repository's other name; the same address if it does not contain the name. */
export function renameIn(address: string, from: RepoRef, to: RepoRef): string {
  const at = address.toLowerCase().indexOf(fullName(from).toLowerCase());
  const end = at + fullName(from).length;
  const isWhole =
    at > 0 && /[/:]/.test(address.charAt(at - 1)) && /^(?:$|\/|\.git|[?#])/.test(address.slice(end));
  return isWhole ? address.slice(0, at) + fullName(to) + address.slice(end) : address;
}

interface Rename {
  /** Null if only the name of the repository is known. */
  id: string | null;
  from: RepoRef;
  to: DeliveredRepo;
}

/**
 * Gives a repository its new name or owner, with the organization's webhooks and projects of it, and its tasks the
 * pull requests' new addresses.
 * @returns the ids of the changed tasks
 */
export async function renameRepository(
  trx: Transaction<Database>,
  event: EventRow,
  { id, from, to }: Rename,
): Promise<string[]> {
  const organizationId = event.organization_id;
  if (id !== null)
    await trx
      .updateTable("repositories")
      .set({ owner: to.owner, name: to.name })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .execute();
  await trx
    .updateTable("integration_webhooks")
    .set({ repo_owner: to.owner, repo_name: to.name })
    .where("organization_id", "=", organizationId)
    .where(({ and, eb }) =>
      id === null
        ? and([eb("connection_id", "=", event.connection_id), isRepo("integration_webhooks", from)])
        : eb("repository_id", "=", id),
    )
    .execute();
  const projects = await trx
    .selectFrom("projects")
    .select(["id", "repo_url"])
    .where("organization_id", "=", organizationId)
    .where((eb) => (id === null ? isRepo("projects", from) : eb("repository_id", "=", id)))
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const project of projects)
    await trx
      .updateTable("projects")
      .set({
        repo_owner: to.owner,
        repo_name: to.name,
        repo_url: renameIn(project.repo_url, from, to),
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", organizationId)
      .where("id", "=", project.id)
      .execute();
  const urls = { from: renameIn(to.url, to, from), to: to.url };
  if (id !== null)
    await trx
      .updateTable("pull_requests")
      .set({ url: sql<string>`${urls.to}::text || substr(url, ${urls.from.length + 1}::int)` })
      .where("organization_id", "=", organizationId)
      .where("repository_id", "=", id)
      .where(sql<boolean>`starts_with(lower(url), ${`${urls.from}/`.toLowerCase()})`)
      .execute();
  return movePullRequests(trx, organizationId, urls);
}

/** Gives tasks the new addresses of their pull requests. @returns the ids of the changed tasks */
async function movePullRequests(
  trx: Transaction<Database>,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  if (from === to) return [];
  const rows = await trx
    .updateTable("tasks")
    .set({
      pr_url: sql<string>`${to}::text || substr(pr_url, ${from.length + 1}::int)`,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(sql<boolean>`starts_with(lower(pr_url), ${`${from}/`.toLowerCase()})`)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}
