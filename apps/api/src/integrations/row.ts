import { GroveError } from "@grove/auth";
import type {
  Database,
  IntegrationConnectionTable,
  IntegrationEventTable,
  IntegrationWebhookTable,
} from "@grove/db";
import type { Connection, IntegrationEvent, IntegrationKind, Webhook } from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Services } from "../services";

export type ConnectionRow = Selectable<IntegrationConnectionTable>;

const connectionColumns = [
  "id",
  "kind",
  "provider",
  "account_name",
  "scopes",
  "status",
  "created_at",
] as const;

/** The columns of a listed connection, without secrets. */
export const selectConnections = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("integration_connections")
    .select(connectionColumns)
    .select(
      sql<boolean>`exists (select from integration_webhooks where organization_id = ${organizationId}
        and connection_id = integration_connections.id and external_id is not null)`.as("receives_events"),
    )
    .where("organization_id", "=", organizationId);

/** A connection's row as the API returns it: never its credentials. */
export const toConnection = (
  row: Pick<ConnectionRow, (typeof connectionColumns)[number]> & { receives_events: boolean },
): Connection => ({
  id: row.id,
  kind: row.kind,
  provider: row.provider,
  accountName: row.account_name,
  scopes: row.scopes,
  status: row.status,
  receivesEvents: row.receives_events,
  createdAt: row.created_at,
});

export const connectionNotFound = (id: string, kind?: IntegrationKind) =>
  new GroveError("NOT_FOUND", `There is no ${kind ? `${kind} ` : ""}connection ${id}.`);

export type WebhookRow = Selectable<IntegrationWebhookTable>;

/**
 * The newest kept delivery of a webhook, with its time as the API returns it, since JSON has no other format for it.
 */
export const lastDelivery = sql<Webhook["lastDelivery"]>`(
  select jsonb_build_object('status', status, 'receivedAt',
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from integration_events as event
  where event.organization_id = integration_webhooks.organization_id and event.webhook_id = integration_webhooks.id
  order by event.created_at desc, event.id desc limit 1)`.as("last_delivery");

/** The address that a webhook delivers to. */
export const webhookUrl = (publicUrl: string, id: string): string =>
  new URL(`/api/webhooks/${id}`, publicUrl).href;

/** A webhook's row as the API returns it: never its secret. */
export const toWebhook = (
  { config: { publicUrl } }: Pick<Services, "config">,
  row: WebhookRow & { last_delivery: Webhook["lastDelivery"] },
): Webhook => ({
  id: row.id,
  repoOwner: row.repo_owner ?? "",
  repoName: row.repo_name ?? "",
  events: row.events,
  url: publicUrl === undefined ? null : webhookUrl(publicUrl, row.id),
  active: row.external_id !== null,
  lastDelivery: row.last_delivery,
  refused:
    row.refused_at === null || row.refused_reason === null
      ? null
      : { count: row.refused_count, lastAt: row.refused_at, lastReason: row.refused_reason },
  createdAt: row.created_at,
});

/** The id may be any text that an address contained. */
export const webhookNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no webhook ${id.slice(0, 100)}.`);

/** The columns that {@link toIntegrationEvent} needs. */
export const integrationEventColumns = ["id", "provider", "type", "repo", "created_at", "status"] as const;

/** A delivery's row as the API returns it. */
export const toIntegrationEvent = (
  row: Pick<Selectable<IntegrationEventTable>, (typeof integrationEventColumns)[number]>,
): IntegrationEvent => ({
  id: row.id,
  provider: row.provider,
  type: row.type,
  repo: row.repo,
  receivedAt: row.created_at,
  status: row.status,
});

export const integrationEventNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no event ${id}.`);
