import type { Database } from "@grove/db";
import type { Transaction } from "kysely";
import { recordEvent } from "../events/record";
import { toIntegrationEvent } from "./row";

/** The events of an organization's integrations. */
export const integrationsOf = (organizationId: string) => ({ organizationId, topic: "integration" });

/** Records that a delivery has arrived, or its outcome. Call it last in the transaction. */
export const recordIntegrationEvent = (
  trx: Transaction<Database>,
  organizationId: string,
  row: Parameters<typeof toIntegrationEvent>[0],
) => recordEvent(trx, integrationsOf(organizationId), { type: "event", event: toIntegrationEvent(row) });
