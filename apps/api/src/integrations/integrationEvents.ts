import type { Database } from "@grove/db";
import type { IntegrationEvent, IntegrationListEventsInput } from "@grove/schemas";
import type { Transaction } from "kysely";
import { recordEvent } from "../events/record";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { integrationEventColumns, toIntegrationEvent } from "./row";

/** Reads a page of an organization's webhook deliveries, newest first. */
export async function listIntegrationEvents(
  { database }: Pick<Services, "database">,
  input: IntegrationListEventsInput,
): Promise<IntegrationEvent[]> {
  const { db } = database;
  const query = db
    .selectFrom("integration_events")
    .select(integrationEventColumns)
    .where("organization_id", "=", input.organizationId);
  return (await newestFirst(db, "integration_events", query, input)).map(toIntegrationEvent);
}

/** The events of an organization's integrations. */
export const integrationsOf = (organizationId: string) => ({ organizationId, topic: "integration" });

/** Records that a delivery has arrived, or its outcome. Call it last in the transaction. */
export const recordIntegrationEvent = (
  trx: Transaction<Database>,
  organizationId: string,
  row: Parameters<typeof toIntegrationEvent>[0],
) => recordEvent(trx, integrationsOf(organizationId), { type: "event", event: toIntegrationEvent(row) });
