import { GroveError, recordAudit, type UserPrincipal } from "@grove/auth";
import { notify } from "@grove/db";
import type { IntegrationEvent, IntegrationReplayEventInput } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";
import { recordIntegrationEvent } from "./integrationEvents";
import { integrationEventColumns, integrationEventNotFound, toIntegrationEvent } from "./row";

/**
 * Queues a dead delivery again.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `event_not_dead`
 */
export function replayEvent(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: IntegrationReplayEventInput,
): Promise<IntegrationEvent> {
  return database.db.transaction().execute(async (trx) => {
    const { organizationId, id } = input;
    const ofOrganization = trx
      .selectFrom("integration_events")
      .select(integrationEventColumns)
      .where("organization_id", "=", organizationId)
      .where("id", "=", id);
    const delivery = await ofOrganization.forUpdate().executeTakeFirst();
    if (!delivery) throw integrationEventNotFound(id);
    if (delivery.status !== "dead")
      throw new GroveError("PRECONDITION_FAILED", `The event ${id} is ${delivery.status}, not dead.`, {
        reason: "event_not_dead",
      });
    const row = await trx
      .updateTable("integration_events")
      .set({ status: "pending", attempts: 0, run_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returning(integrationEventColumns)
      .executeTakeFirstOrThrow();
    await recordAudit(trx, principal, {
      organizationId,
      action: "integration.replayEvent",
      target: { type: "integration_event", id },
    });
    await notify(trx, "integration_event", id);
    await recordIntegrationEvent(trx, organizationId, row);
    return toIntegrationEvent(row);
  });
}
