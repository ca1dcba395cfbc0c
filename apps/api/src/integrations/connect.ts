import { type Actor, GroveError, recordAudit } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import { type Access, type Account, CredentialsError, ProviderError } from "@grove/integrations";
import type { Connection, IntegrationConnectInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { Services } from "../services";
import { sealCredentials } from "./credentials";
import { toGroveError } from "./failures";
import { selectConnections, toConnection } from "./row";
import { watchIssues } from "./webhooks";

const MAX_CONNECTIONS = 50;

/**
 * Reads the input as the credentials that the provider accepts.
 * @throws {GroveError} BAD_REQUEST `base_url_refused`, or without a reason for credentials of a kind that it does not
 * accept
 */
export function readAccess(
  { integrations }: Pick<Services, "integrations">,
  { provider, baseUrl, ...given }: IntegrationConnectInput,
): Access {
  try {
    return {
      provider,
      credentials: integrations.readCredentials(provider, given),
      baseUrl: integrations.readBaseUrl(provider, baseUrl),
    };
  } catch (error) {
    if (error instanceof CredentialsError) throw new GroveError("BAD_REQUEST", error.message);
    if (error instanceof ProviderError) throw toGroveError(integrations.provider(provider).title, error);
    throw error;
  }
}

/**
 * Tries the credentials, then stores them. Connecting the same account again renews its connection.
 * @throws {GroveError} BAD_REQUEST `credentials_refused`; PRECONDITION_FAILED `too_many_connections`; a provider's
 * failure
 */
export async function connect(
  services: Services,
  actor: Actor & { user?: { id: string } },
  organizationId: string,
  access: Access,
  action: string,
): Promise<Connection> {
  const { database, integrations } = services;
  const { title } = integrations.provider(access.provider);
  const account = await integrations.account(access).catch((error) => {
    if (error instanceof ProviderError && error.failure === "unauthorized")
      throw new GroveError("BAD_REQUEST", `${title} does not accept these credentials. Check them.`, {
        reason: "credentials_refused",
        cause: error,
      });
    throw error instanceof ProviderError ? toGroveError(title, error) : error;
  });
  const id = await database.db.transaction().execute(async (trx) => {
    const connection = await upsertConnection(services, trx, {
      organizationId,
      access,
      account,
      userId: actor.user?.id ?? null,
    });
    await recordAudit(trx, actor, {
      organizationId,
      action,
      target: { type: "integration_connection", id: connection },
      metadata: { provider: access.provider, accountName: account.name },
    });
    return connection;
  });
  await watchIssues(services, organizationId, id);
  const row = await selectConnections(database.db, organizationId).where("id", "=", id).executeTakeFirst();
  if (!row) throw new GroveError("NOT_FOUND", "The connection was removed at the same time.");
  return toConnection(row);
}

interface NewConnection {
  organizationId: string;
  access: Access;
  account: Account;
  userId: string | null;
}

async function upsertConnection(
  services: Pick<Services, "integrations" | "vault">,
  trx: Transaction<Database>,
  { organizationId, access, account, userId }: NewConnection,
): Promise<string> {
  const { provider, baseUrl, credentials } = access;
  const seal = (id: string) =>
    sealCredentials(services, { organization_id: organizationId, id }, credentials);
  const id = newId();
  const inserted = await trx
    .insertInto("integration_connections")
    .values({
      id,
      organization_id: organizationId,
      kind: services.integrations.provider(provider).kind,
      provider,
      base_url: baseUrl,
      account_id: account.id,
      account_name: account.name,
      scopes: account.scopes ?? null,
      sealed: seal(id),
      created_by: userId,
    })
    .onConflict((conflict) => conflict.constraint("integration_connections_account").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) {
    await boundConnections(trx, organizationId);
    return id;
  }
  const existing = await trx
    .selectFrom("integration_connections")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("provider", "=", provider)
    .where("base_url", "is not distinct from", baseUrl)
    .where("account_id", "=", account.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // Sealed again: credentials are bound to their row, and this one existed before.
  await trx
    .updateTable("integration_connections")
    .set({
      sealed: seal(existing.id),
      status: "connected",
      account_name: account.name,
      scopes: account.scopes ?? null,
      refreshing_until: null,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", existing.id)
    .execute();
  return existing.id;
}

async function boundConnections(trx: Transaction<Database>, organizationId: string): Promise<void> {
  const { count } = await trx
    .selectFrom("integration_connections")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  if (Number(count) > MAX_CONNECTIONS)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `An organization has at most ${MAX_CONNECTIONS} connections. Disconnect one that is not needed.`,
      { reason: "too_many_connections" },
    );
}
