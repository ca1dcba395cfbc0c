import { type Database, type IntegrationEventTable, newId } from "@grove/db";
import type { DeliveredRepo, RepoRef } from "@grove/integrations";
import { type Selectable, sql, type Transaction } from "kysely";
import { isRepo, isSameName, renameRepository } from "./renameRepository";

type EventRow = Selectable<IntegrationEventTable>;

/** The repository of a delivery: by id where its webhook has delivered one, otherwise by name alone. */
export interface KnownRepo extends RepoRef {
  id: string | null;
  /** The ids of tasks whose pull request has another address now. */
  movedTasks: string[];
}

interface WebhookOfDelivery {
  provider: EventRow["provider"];
  base_url: string | null;
  repo_owner: string | null;
  repo_name: string | null;
  repository_id: string | null;
  /** The code host's id of that repository. */
  repository_external_id: string | null;
}

/**
 * Finds the repository that a delivery is about, and follows it to the name that the delivery states. A webhook
 * belongs to one repository, so its first delivery with an id shows which one that is.
 * @param from its name before, if the delivery reports a move
 * @returns undefined if the delivery is about another repository than its webhook, or the webhook no longer exists
 */
export async function repositoryOf(
  trx: Transaction<Database>,
  event: EventRow,
  repo: DeliveredRepo,
  from?: RepoRef,
): Promise<KnownRepo | undefined> {
  const webhook = await readWebhook(trx, event);
  if (!webhook) return undefined;
  const storedName =
    webhook.repo_owner === null || webhook.repo_name === null
      ? repo
      : { owner: webhook.repo_owner, name: webhook.repo_name };
  // A move states the name before it: a webhook whose repository is not known yet has that name.
  const isOther = webhook.repository_id === null && from !== undefined && !isSameName(from, storedName);
  if (isOther) return undefined;
  if (repo.id === null) {
    // Without an id, only a move can show that a name is another one of the same repository.
    const { repository_id: id } = webhook;
    if (from === undefined) return { ...storedName, id, movedTasks: [] };
    const movedTasks = await renameRepository(trx, event, { id, from: storedName, to: repo });
    return { id, owner: repo.owner, name: repo.name, movedTasks };
  }
  if (webhook.repository_external_id !== null && webhook.repository_external_id !== repo.id) return undefined;
  const row = await upsert(trx, event, webhook, { ...storedName, externalId: repo.id, asOf: repo.asOf });
  if (webhook.repository_id === null) await identifyWebhook(trx, event, row.id);
  await identifyProjects(trx, event.organization_id, { ...storedName, id: row.id, url: repo.url });
  const isNewer = repo.asOf === null || repo.asOf >= new Date(row.named_at);
  const name = isNewer
    ? { owner: repo.owner, name: repo.name }
    : { owner: storedName.owner, name: storedName.name };
  if (isSameName(storedName, name)) return { ...name, id: row.id, movedTasks: [] };
  const movedTasks = await renameRepository(trx, event, { id: row.id, from: storedName, to: repo });
  return { ...name, id: row.id, movedTasks };
}

/**
 * Records the repository that a connection's code host describes in a response, locked until the transaction ends, and
 * links the project for which it was requested.
 * @returns undefined if the project is known to be of another repository
 */
export async function repositoryOfProject(
  trx: Transaction<Database>,
  connection: { organization_id: string; provider: EventRow["provider"]; base_url: string | null },
  projectId: string,
  { id: externalId, owner, name, asOf }: DeliveredRepo,
): Promise<KnownRepo | undefined> {
  if (externalId === null) return undefined;
  const { id } = await upsert(trx, connection, connection, { owner, name, externalId, asOf });
  const linked = await trx
    .updateTable("projects")
    .set({ repository_id: id })
    .where("organization_id", "=", connection.organization_id)
    .where("id", "=", projectId)
    .where(({ or, eb }) => or([eb("repository_id", "is", null), eb("repository_id", "=", id)]))
    .returning("id")
    .executeTakeFirst();
  return linked && { id, owner, name, movedTasks: [] };
}

/** The delivery's webhook with its connection. */
const readWebhook = (trx: Transaction<Database>, event: EventRow): Promise<WebhookOfDelivery | undefined> =>
  trx
    .selectFrom("integration_connections as connections")
    .leftJoin("integration_webhooks as webhooks", (join) =>
      join
        .onRef("webhooks.organization_id", "=", "connections.organization_id")
        .on("webhooks.id", "=", event.webhook_id),
    )
    .select(["connections.provider", "connections.base_url"])
    .leftJoin("repositories", (join) =>
      join
        .onRef("repositories.organization_id", "=", "webhooks.organization_id")
        .onRef("repositories.id", "=", "webhooks.repository_id"),
    )
    .select(["webhooks.repo_owner", "webhooks.repo_name", "webhooks.repository_id"])
    .select("repositories.external_id as repository_external_id")
    .where("connections.organization_id", "=", event.organization_id)
    .where("connections.id", "=", event.connection_id)
    .executeTakeFirst();

/**
 * The row of a repository, locked until the transaction ends. Its `named_at` is that of the newest delivery, this one
 * included: a later one than `asOf` shows that this delivery is older.
 */
const upsert = (
  trx: Transaction<Database>,
  { organization_id }: Pick<EventRow, "organization_id">,
  { provider, base_url }: Pick<WebhookOfDelivery, "provider" | "base_url">,
  { owner, name, externalId, asOf }: RepoRef & { externalId: string; asOf: Date | null },
) =>
  trx
    .insertInto("repositories")
    .values({
      id: newId(),
      organization_id,
      provider,
      base_url,
      external_id: externalId,
      owner,
      name,
      named_at: asOf ?? new Date(0),
    })
    .onConflict((conflict) =>
      conflict
        .constraint("repositories_external")
        .doUpdateSet({ named_at: sql`greatest(repositories.named_at, excluded.named_at)` }),
    )
    .returning(["id", "named_at"])
    .executeTakeFirstOrThrow();

const identifyWebhook = (
  trx: Transaction<Database>,
  { organization_id, webhook_id }: EventRow,
  repositoryId: string,
) =>
  trx
    .updateTable("integration_webhooks")
    .set({ repository_id: repositoryId })
    .where("organization_id", "=", organization_id)
    .where("id", "=", webhook_id)
    .execute();

/** Links the projects that have the repository's name, at its host. */
async function identifyProjects(
  trx: Transaction<Database>,
  organizationId: string,
  { id, owner, name, url }: RepoRef & { id: string; url: string },
): Promise<void> {
  const candidates = await trx
    .selectFrom("projects")
    .select(["id", "repo_url"])
    .where("organization_id", "=", organizationId)
    .where("repository_id", "is", null)
    .where(isRepo("projects", { owner, name }))
    .execute();
  const ids = candidates.filter(({ repo_url }) => mayBeAt(repo_url, url)).map((project) => project.id);
  if (ids.length === 0) return;
  await trx
    .updateTable("projects")
    .set({ repository_id: id })
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .execute();
}

/**
 * Whether a clone address may be that of a repository with this page. A host without a dot is an alias of the user's
 * ssh configuration, and a host may have another name for ssh, as `ssh.github.com`.
 */
export function mayBeAt(cloneUrl: string, page: string): boolean {
  const host = hostOf(cloneUrl);
  const pageHost = hostOf(page);
  return !host.includes(".") || host === pageHost || host.endsWith(`.${pageHost}`);
}

/** Returns the host of an address (a URL or `git@host:path`); empty if it has none. */
function hostOf(address: string): string {
  if (URL.canParse(address) && address.includes("://")) return new URL(address).hostname.toLowerCase();
  return (/^(?:[^@/]+@)?([^:/]+):/.exec(address)?.[1] ?? "").toLowerCase();
}
