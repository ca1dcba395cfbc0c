import type { Database, IntegrationEventTable } from "@grove/db";
import { messageOf } from "@grove/schemas";
import { span } from "@grove/tracing";
import { type Kysely, type Selectable, sql, type Transaction, type UpdateObject } from "kysely";
import { ZodError } from "zod";
import { recordIntegrationEvent } from "../integrations/integrationEvents";
import { integrationEventColumns } from "../integrations/row";
import { startWorkLoop } from "../lib/workLoop";
import type { Services } from "../services";
import { applyChange } from "./applyChange";

/** After this many attempts, in about nine minutes, the delivery is `dead` until integration.replayEvent. */
const MAX_ATTEMPTS = 8;
/**
 * Processes deliveries one at a time, with organizations in turn. Any number of instances may do so: each skips rows
 * that another has locked. If an instance dies, the delivery that it was processing is free again.
 * @returns a function that stops the queue, once the current delivery is done
 */
export function startQueue(services: Services): () => Promise<void> {
  const served = new Set<string>();
  return startWorkLoop(services, {
    channel: "integration_event",
    run: () => workOff(services, served),
    failure: "could not process webhook deliveries",
  });
}

/** Processes all due deliveries. @returns milliseconds until the next is due; null without one */
async function workOff(services: Services, served: Set<string>): Promise<number | null> {
  const { db } = services.database;
  while (!services.draining.aborted && (await takeNext(services, served)));
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(run_at) - now()) * 1000)::float8 as wait
    from integration_events where status = 'pending'`.execute(db);
  return rows[0]?.wait ?? null;
}

/** Organizations take turns among this many deliveries that are due first. */
const DUE = sql.lit(1_000);

/**
 * Processes the delivery that is due first and that no other instance has taken. Organizations with many deliveries
 * take turns.
 * @param served the organizations that have had their turn; the others come first
 * @returns the delivery's organization; undefined when nothing is due
 */
export async function takeNext(
  services: Pick<Services, "database" | "integrations" | "log">,
  served: Set<string>,
): Promise<string | undefined> {
  const { db } = services.database;
  let taken: { id: string; organizationId: string } | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql<Selectable<IntegrationEventTable>>`
        with due as (
          select id, organization_id = any(${[...served]}::uuid[]) as served, run_at from integration_events
          where status = 'pending' and run_at <= now() order by run_at, id limit ${DUE})
        select event.* from due join integration_events as event on event.id = due.id
        where event.status = 'pending'
        order by due.served, due.run_at, due.id limit 1
        for update of event skip locked`.execute(trx);
      const [row] = rows;
      if (!row) return;
      taken = { id: row.id, organizationId: row.organization_id };
      const { provider, type } = row;
      const work = () => applyDelivery(services, trx, row);
      const { processed, record } = await span(
        `webhook ${provider}`,
        { kind: "consumer", attributes: { "grove.type": type } },
        work,
      );
      await record();
      if (processed) await recordIntegrationEvent(trx, row.organization_id, processed);
    });
  } catch (error) {
    if (!taken) throw error;
    services.log.warn({ err: error, eventId: taken.id }, "could not process a delivery");
    await scheduleRetry(db, taken, error);
  }
  if (!taken) return undefined;
  // All organizations with something due have had their turn.
  if (served.has(taken.organizationId)) served.clear();
  served.add(taken.organizationId);
  return taken.organizationId;
}

/** Applies what a delivery reports, and settles it. `record` then records what has changed. */
async function applyDelivery(
  services: Pick<Services, "integrations">,
  trx: Transaction<Database>,
  row: Selectable<IntegrationEventTable>,
) {
  const { webhooks } = services.integrations.provider(row.provider);
  const change = row.payload === null ? null : webhooks?.changeOf(row.type, JSON.parse(row.payload));
  const record = change ? await applyChange(trx, row, change) : async () => undefined;
  const key = { id: row.id, organizationId: row.organization_id };
  const processed = await updatePending(trx, key, { status: "processed", last_error: null });
  return { processed, record };
}

/** Schedules another attempt, later each time. A delivery that cannot be read gets none. */
async function scheduleRetry(
  db: Kysely<Database>,
  taken: { id: string; organizationId: string },
  error: unknown,
): Promise<void> {
  const attempts = error instanceof ZodError ? 1 : MAX_ATTEMPTS;
  await db.transaction().execute(async (trx) => {
    const row = await updatePending(trx, taken, {
      status: sql`case when attempts + 1 >= ${attempts} then 'dead' else 'pending' end`,
      attempts: sql`attempts + 1`,
      run_at: sql`now() + interval '1 second' * power(2, attempts + 1)`,
      last_error: messageOf(error).toWellFormed().replaceAll("\0", "").slice(0, 1000),
    });
    if (row?.status === "dead") await recordIntegrationEvent(trx, taken.organizationId, row);
  });
}

const updatePending = (
  trx: Transaction<Database>,
  { id, organizationId }: { id: string; organizationId: string },
  set: UpdateObject<Database, "integration_events">,
) =>
  trx
    .updateTable("integration_events")
    .set(set)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning(integrationEventColumns)
    .executeTakeFirst();
