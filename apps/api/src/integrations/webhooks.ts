import { randomBytes } from "node:crypto";
import { GroveError } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import { type Codehost, ProviderError, type Tracker } from "@grove/integrations";
import type { Kysely, Transaction } from "kysely";
import { webhookIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { callProvider, tryProvider } from "./call";
import { type ConnectionRow, type WebhookRow, webhookUrl } from "./row";

const MAX_WEBHOOKS = 100;

/** @throws {GroveError} PRECONDITION_FAILED `public_url_required` */
export function requirePublicUrl(publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  throw new GroveError(
    "PRECONDITION_FAILED",
    "For this, a provider must be able to reach this service. Ask its operator to set PUBLIC_URL.",
    { reason: "public_url_required" },
  );
}

interface NewWebhook {
  /** Absent for a tracker's webhook. */
  repo?: { owner: string; name: string };
  events: string[];
  /** Records more in the same transaction. */
  record?(trx: Transaction<Database>, row: WebhookRow): Promise<void>;
}

/**
 * Makes a webhook at a provider. The row is inserted first: the provider may deliver before it has answered.
 * @throws {GroveError} PRECONDITION_FAILED `public_url_required`, `too_many_webhooks`; a provider's failure
 */
export async function createWebhook(
  services: Services,
  connection: ConnectionRow,
  { repo, events, record }: NewWebhook,
): Promise<WebhookRow> {
  const { db } = services.database;
  const id = newId();
  const url = webhookUrl(requirePublicUrl(services.config.publicUrl), id);
  const secret = randomBytes(32).toString("hex");
  const organizationId = connection.organization_id;
  await requireFewWebhooks(services, connection);
  await db
    .insertInto("integration_webhooks")
    .values({
      id,
      organization_id: organizationId,
      connection_id: connection.id,
      repo_owner: repo?.owner ?? null,
      repo_name: repo?.name ?? null,
      events,
      sealed: services.vault.seal(secret, webhookIdentity({ organization_id: organizationId, id })),
    })
    .execute();
  const target = { url, secret };
  let externalId: string;
  try {
    externalId = repo
      ? await callProvider(services, "codehost", connection, (codehost) =>
          codehost.createWebhook(repo, { ...target, events }),
        )
      : await callProvider(services, "tracker", connection, (tracker) => tracker.createWebhook(target));
  } catch (error) {
    await deleteRow(db, { organization_id: organizationId, id });
    throw error;
  }
  const row = await db.transaction().execute(async (trx) => {
    const created = await trx
      .updateTable("integration_webhooks")
      .set({ external_id: externalId })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (created) await record?.(trx, created);
    return created;
  });
  if (row) return row;
  const orphan = { repo_owner: repo?.owner ?? null, repo_name: repo?.name ?? null, external_id: externalId };
  await removeAtProvider(services, connection, [orphan]);
  throw new GroveError("NOT_FOUND", `The connection ${connection.id} was removed at the same time.`);
}

async function requireFewWebhooks(
  { database: { db } }: Pick<Services, "database">,
  row: ConnectionRow,
): Promise<void> {
  const { count } = await db
    .selectFrom("integration_webhooks")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organization_id", "=", row.organization_id)
    .where("connection_id", "=", row.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_WEBHOOKS)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `A connection has at most ${MAX_WEBHOOKS} webhooks. Delete one that is not needed.`,
      { reason: "too_many_webhooks" },
    );
}

export async function deleteRow(
  db: Kysely<Database>,
  row: { organization_id: string; id: string },
): Promise<void> {
  await db
    .deleteFrom("integration_webhooks")
    .where("organization_id", "=", row.organization_id)
    .where("id", "=", row.id)
    .execute();
}

/**
 * Creates a tracker's webhook for changed issues, if none exists. If that fails (no PUBLIC_URL, credentials without the
 * right), the connection works anyway, and shows that it receives no events.
 */
export async function watchIssues(services: Services, organizationId: string, id: string): Promise<void> {
  const { config, database, integrations, log } = services;
  if (config.publicUrl === undefined) return;
  const connection = await database.db
    .selectFrom("integration_connections")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (connection?.kind !== "tracker" || !integrations.provider(connection.provider).webhooks) return;
  const existing = await database.db
    .selectFrom("integration_webhooks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("connection_id", "=", id)
    .executeTakeFirst();
  if (existing) return;
  await createWebhook(services, connection, { events: ["issue"] }).catch((error) => {
    if (!(error instanceof GroveError)) throw error;
    log.info(
      { connectionId: id, reason: error.reason },
      "the tracker accepts no webhook from this connection",
    );
  });
}

type AtProvider = Pick<WebhookRow, "repo_owner" | "repo_name" | "external_id">;

/**
 * Removes webhooks at the provider. A failure is only logged: a webhook left there does no harm, since its deliveries
 * find no row.
 */
export async function removeAtProvider(
  services: Services,
  connection: ConnectionRow,
  webhooks: AtProvider[],
): Promise<void> {
  if (webhooks.length === 0) return;
  const { log } = services;
  const remove = (port: Codehost | Tracker, { repo_owner, repo_name, external_id }: AtProvider) => {
    if (external_id === null) return;
    if ("listTeams" in port) return port.deleteWebhook(external_id);
    return port.deleteWebhook({ owner: repo_owner ?? "", name: repo_name ?? "" }, external_id);
  };
  const removeAll = async (port: Codehost | Tracker) => {
    for (const webhook of webhooks)
      await Promise.resolve(remove(port, webhook)).catch((error) => {
        if (!(error instanceof ProviderError) || error.failure === "unauthorized") throw error;
        if (error.failure !== "not_found")
          log.warn({ connectionId: connection.id, failure: error.failure }, "could not remove a webhook");
      });
  };
  const kind = connection.kind === "codehost" ? "codehost" : "tracker";
  await tryProvider(services, kind, connection, removeAll).catch((error) => {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ connectionId: connection.id, failure: error.failure }, "could not remove webhooks");
  });
}
