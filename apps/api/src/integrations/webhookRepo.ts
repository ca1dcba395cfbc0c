import type { Database, IntegrationEventTable } from "@grove/db";
import type { Change } from "@grove/integrations";
import { type Selectable, sql, type Transaction } from "kysely";

type EventRow = Selectable<IntegrationEventTable>;
type RepoName = Extract<Change, { kind: "repository_moved" }>["from"];
type Moved = Extract<Change, { kind: "repository_moved" }>;

/**
 * Returns the repository that the delivery's webhook was made for, by the name that Grove has for it. Deliveries of a
 * renamed repository carry its new name, and another repository may have taken the old one.
 */
export async function webhookRepo(
  trx: Transaction<Database>,
  { organization_id: organizationId, webhook_id: webhookId }: EventRow,
): Promise<RepoName | undefined> {
  if (webhookId === null) return undefined;
  const row = await trx
    .selectFrom("integration_webhooks")
    .select(["repo_owner", "repo_name"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", webhookId)
    .executeTakeFirst();
  if (!row || row.repo_owner === null || row.repo_name === null) return undefined;
  return { owner: row.repo_owner, name: row.repo_name };
}

/** Whether a row's columns name a repository. Code hosts do not distinguish upper and lower case. */
export const isRepo = (table: "projects" | "integration_webhooks", { owner, name }: RepoName) =>
  sql<boolean>`(lower(${sql.ref(`${table}.repo_owner`)}) = ${owner.toLowerCase()}
    and lower(${sql.ref(`${table}.repo_name`)}) = ${name.toLowerCase()})`;

const fullName = ({ owner, name }: RepoName) => `${owner}/${name}`;
const isSame = (a: RepoName, b: RepoName) => fullName(a).toLowerCase() === fullName(b).toLowerCase();

/** Returns an address with a repository's other name; the same address if it does not contain the name. */
export function renameIn(address: string, from: RepoName, to: RepoName): string {
  const at = address.toLowerCase().indexOf(fullName(from).toLowerCase());
  const end = at + fullName(from).length;
  const isWhole =
    at > 0 && /[/:]/.test(address.charAt(at - 1)) && /^(?:$|\/|\.git|[?#])/.test(address.slice(end));
  return isWhole ? address.slice(0, at) + fullName(to) + address.slice(end) : address;
}

/**
 * Follows a webhook's repository to its new name or owner: the organization's webhooks and projects of that repository
 * get the name, and their tasks the pull requests' new addresses. A move of another repository changes nothing, nor
 * does one that was applied already.
 * @returns the ids of the changed tasks
 */
export async function moveRepository(
  trx: Transaction<Database>,
  event: EventRow,
  { from, to, url }: Moved,
): Promise<string[]> {
  const own = await webhookRepo(trx, event);
  if (!own || !isSame(own, from) || event.connection_id === null) return [];
  const organizationId = event.organization_id;
  await trx
    .updateTable("integration_webhooks")
    .set({ repo_owner: to.owner, repo_name: to.name })
    .where("organization_id", "=", organizationId)
    .where("connection_id", "=", event.connection_id)
    .where(isRepo("integration_webhooks", own))
    .execute();
  const projects = await trx
    .selectFrom("projects")
    .select(["id", "repo_url"])
    .where("organization_id", "=", organizationId)
    .where(isRepo("projects", own))
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const { id, repo_url } of projects)
    await trx
      .updateTable("projects")
      .set({
        repo_owner: to.owner,
        repo_name: to.name,
        repo_url: renameIn(repo_url, own, to),
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .execute();
  return movePullRequests(trx, organizationId, { from: renameIn(url, to, own), to: url });
}

/** Gives tasks the new addresses of their pull requests. */
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
