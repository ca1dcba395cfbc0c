import { sql } from "kysely";
import type { Services } from "../services";

/** The most deliveries that are deleted for one that arrives. */
const MAX_ROWS = 2_000;

/**
 * Counts a delivery against the organization's quota. Above the quota, its oldest settled deliveries are deleted.
 * Pending deliveries are kept.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export const takeDeliveryBytes = (
  { database: { db }, quotas }: Pick<Services, "database" | "quotas">,
  organizationId: string,
  bytes: number,
): Promise<void> =>
  quotas.takeFromOldest(db, "deliveryBytes", organizationId, bytes, async (wanted) => {
    const { rows } = await sql<{ bytes: number }>`
      with oldest as (
        select id, created_at, pg_column_size(payload) as bytes from integration_events
        where organization_id = ${organizationId} and status <> 'pending'
        order by created_at, id limit ${sql.lit(MAX_ROWS)}),
      summed as (select id, bytes, sum(bytes) over (order by created_at, id) - bytes as before from oldest)
      delete from integration_events as event using summed
      where event.organization_id = ${organizationId} and event.id = summed.id and summed.before < ${wanted}
        and event.status <> 'pending'
      returning summed.bytes`.execute(db);
    return rows.reduce((sum, row) => sum + row.bytes, 0);
  });
