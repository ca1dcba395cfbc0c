import { sql } from "kysely";
import type { Services } from "../../services";

/** The most results that are removed for one that arrives. */
const MAX_ROWS = 2_000;

/**
 * Counts a result that was just stored against the organization's quota. Above the quota, its oldest results are
 * removed: a command's end is never refused. A failure is only logged, since the next result counts again.
 */
export async function takeResultBytes(
  { database: { db }, quotas, log }: Pick<Services, "database" | "log" | "quotas">,
  organizationId: string,
  result: unknown,
): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(result ?? null));
  try {
    await quotas.takeFromOldest(db, "resultBytes", organizationId, bytes, async (wanted) => {
      const size = sql`coalesce(pg_column_size(result), 0) + coalesce(pg_column_size(late_result), 0)`;
      const { rows } = await sql<{ bytes: number }>`
        with oldest as (
          select id, created_at, ${size} as bytes from device_commands
          where organization_id = ${organizationId} and finished_at is not null
            and (result is not null or late_result is not null)
          order by created_at, id limit ${sql.lit(MAX_ROWS)}),
        summed as (select id, bytes, sum(bytes) over (order by created_at, id) - bytes as before from oldest)
        update device_commands as command
        set result = null, late_result = null, result_removed_at = now()
        from summed
        where command.organization_id = ${organizationId} and command.id = summed.id and summed.before < ${wanted}
          and command.result_removed_at is null
        returning summed.bytes`.execute(db);
      return rows.reduce((sum, row) => sum + row.bytes, 0);
    });
  } catch (error) {
    log.warn({ err: error, organizationId }, "could not bound the results of commands");
  }
}
