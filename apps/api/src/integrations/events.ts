import type { Database, IntegrationEventTable } from "@grove/db";
import type { IntegrationEvent } from "@grove/schemas";
import type { Selectable, Transaction } from "kysely";
import { recordEvent } from "../events/record";

/** The events of an organization's integrations. */
export const integrationsOf = (organizationId: string) => ({ organizationId, topic: "integration" });

export const eventColumns = ["id", "provider", "type", "repo", "created_at", "status"] as const;

export const toEvent = (
  row: Pick<Selectable<IntegrationEventTable>, (typeof eventColumns)[number]>,
): IntegrationEvent => ({
  id: row.id,
  provider: row.provider,
  type: row.type,
  repo: row.repo,
  receivedAt: row.created_at,
  status: row.status,
});

/** Records that a delivery has arrived, or its outcome. Call it last in the transaction. */
export const recordIntegrationEvent = (
  trx: Transaction<Database>,
  organizationId: string,
  row: Parameters<typeof toEvent>[0],
) =>
  recordEvent(trx, integrationsOf(organizationId), { type: "event", event: toEvent(row) } as {
    type: "event";
  });
