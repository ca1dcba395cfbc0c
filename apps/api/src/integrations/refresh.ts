import { notify } from "@grove/db";
import { type Credentials, type OAuthCredentials, ProviderError } from "@grove/integrations";
import { sql } from "kysely";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { openCredentials, requireReconnect, sealCredentials } from "./credentials";
import type { ConnectionRow } from "./row";

/** Tokens that expire this soon might not outlast the call. */
const SOON_MS = 60_000;
/** No refresh takes longer: after that the lock is free. */
const LOCKED_FOR = sql`interval '30 seconds'`;

/** Whether the credentials must be renewed before they are used. */
export const isDue = (credentials: Credentials): boolean =>
  credentials.type === "oauth" &&
  credentials.refreshToken !== undefined &&
  credentials.expiresAt !== undefined &&
  credentials.expiresAt < Date.now() + SOON_MS;

export const isRefreshable = (services: Pick<Services, "vault">, row: ConnectionRow): boolean => {
  const credentials = openCredentials(services, row);
  return credentials.type === "oauth" && credentials.refreshToken !== undefined;
};

/**
 * Renews a connection's tokens. A refresh token works only once. So only one of the callers that find the tokens
 * expired calls the provider, under a lock that is a lease in the row. The others wait for its result.
 * @param until when to give up, on performance's clock
 * @throws {ProviderError} `unauthorized` when the grant was withdrawn, which marks the connection
 */
export async function refresh(services: Services, row: ConnectionRow, until: number): Promise<ConnectionRow> {
  const { db, notifier } = services.database;
  const wakeUp = new WakeUp();
  // Subscribes before the first read, so that nothing is missed in between.
  const unsubscribe = notifier.subscribe("integration_refreshed", row.id, () => wakeUp.wake());
  try {
    while (performance.now() < until) {
      if (await takeRefreshLease(services, row)) return await renew(services, row, until);
      const current = await db
        .selectFrom("integration_connections")
        .selectAll()
        .where("organization_id", "=", row.organization_id)
        .where("id", "=", row.id)
        .executeTakeFirst();
      if (!current || current.status === "reconnect_required") throw new ProviderError("unauthorized");
      if (current.sealed !== row.sealed) return current;
      await wakeUp.wait(until - performance.now(), [services.draining]);
      if (services.draining.aborted) break;
    }
    throw new ProviderError("unavailable", { detail: "its tokens could not be renewed in time" });
  } finally {
    unsubscribe();
  }
}

const ofRow = (services: Pick<Services, "database">, row: ConnectionRow) =>
  services.database.db
    .updateTable("integration_connections")
    .where("organization_id", "=", row.organization_id)
    .where("id", "=", row.id)
    // Tokens that were renewed since must not be renewed again.
    .where("sealed", "=", row.sealed);

async function takeRefreshLease(services: Pick<Services, "database">, row: ConnectionRow): Promise<boolean> {
  const locked = await ofRow(services, row)
    .set({ refreshing_until: sql<string>`now() + ${LOCKED_FOR}` })
    .where("status", "=", "connected")
    .where(sql<boolean>`(refreshing_until is null or refreshing_until < now())`)
    .returning("id")
    .executeTakeFirst();
  return locked !== undefined;
}

async function renew(
  services: Pick<Services, "database" | "integrations" | "vault">,
  row: ConnectionRow,
  until: number,
): Promise<ConnectionRow> {
  const { integrations } = services;
  const { db } = services.database;
  try {
    // Only OAuth's credentials expire, so that they are refreshed.
    const old = openCredentials(services, row) as OAuthCredentials;
    if (!integrations.hasOAuth(row.provider))
      throw new ProviderError("unavailable", { detail: "this service no longer has an OAuth app there" });
    const fresh = await integrations.refresh(row.provider, old, until - performance.now());
    const renewed = await ofRow(services, row)
      .set({
        sealed: sealCredentials(services, row, fresh),
        refreshing_until: null,
        updated_at: sql<string>`now()`,
      })
      .returningAll()
      .executeTakeFirst();
    // During the refresh, the account was connected again, or the connection was ended.
    if (!renewed)
      throw new ProviderError("unavailable", { detail: "the connection was changed at the same time" });
    return renewed;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === "unauthorized")
      await requireReconnect(services, row);
    else await ofRow(services, row).set({ refreshing_until: null }).execute();
    throw error;
  } finally {
    await notify(db, "integration_refreshed", row.id);
  }
}
