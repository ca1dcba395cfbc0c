import { type Database, everyKey } from "@grove/db";
import { type Kysely, sql, type Transaction, type UpdateObject } from "kysely";
import { ZodError } from "zod";
import { WakeUp } from "../dispatch/wakeUp";
import type { Services } from "../services";
import { applyChange } from "./effects";
import { eventColumns, recordIntegrationEvent } from "./events";

/** After so many it waits for integration.replayEvent: about nine minutes. */
const MAX_ATTEMPTS = 8;
/** The read that makes up for a wake-up that was lost. */
const SAFETY_READ_MS = 20_000;
/** Another instance may be at what is due. */
const BUSY_MS = 1_000;

/**
 * Works deliveries off, one at a time and in any number of instances: what one has taken the others pass over, and what
 * it has not finished when it dies is free again.
 * @returns a function that ends it, once the delivery at hand is done
 */
export function startQueue(services: Services): () => Promise<void> {
  const { database, log, draining } = services;
  const wakeUp = new WakeUp();
  const unsubscribe = database.notifier.subscribe("integration_event", everyKey, () => wakeUp.wake());
  const run = async () => {
    while (!draining.aborted) {
      const wait = await workOff(services).catch((error) => {
        log.error({ err: error }, "could not work off webhooks' deliveries");
        return SAFETY_READ_MS;
      });
      await wakeUp.wait(wait, [draining]);
    }
  };
  const running = run();
  return async () => {
    unsubscribe();
    await running;
  };
}

/** Works off all that is due. @returns milliseconds until there is more */
async function workOff(services: Services): Promise<number> {
  const { db } = services.database;
  while (!services.draining.aborted && (await takeNext(services)));
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(run_at) - now()) * 1000)::float8 as wait
    from integration_events where status = 'pending'`.execute(db);
  const wait = rows[0]?.wait ?? SAFETY_READ_MS;
  return Math.min(Math.max(wait, BUSY_MS), SAFETY_READ_MS);
}

/** What is due first, unless another instance is at it. @returns whether there was one */
async function takeNext(services: Services): Promise<boolean> {
  const { db } = services.database;
  let taken: { id: string; organizationId: string } | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("integration_events")
        .selectAll()
        .where("status", "=", "pending")
        .where("run_at", "<=", sql<string>`now()`)
        .orderBy("run_at")
        .orderBy("id")
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!row) return;
      taken = { id: row.id, organizationId: row.organization_id };
      const change = services.integrations
        .provider(row.provider)
        .webhooks?.changeOf(row.type, JSON.parse(row.payload));
      const record = change ? await applyChange(trx, row, change) : async () => undefined;
      const processed = await settle(trx, taken, { status: "processed", last_error: null });
      await record();
      if (processed) await recordIntegrationEvent(trx, row.organization_id, processed);
    });
  } catch (error) {
    if (!taken) throw error;
    services.log.warn({ err: error, eventId: taken.id }, "could not work off a delivery");
    await giveBack(db, taken, error);
  }
  return taken !== undefined;
}

/** For another attempt, later each time; what cannot be read never will be. */
async function giveBack(
  db: Kysely<Database>,
  taken: { id: string; organizationId: string },
  error: unknown,
): Promise<void> {
  const attempts = error instanceof ZodError ? 1 : MAX_ATTEMPTS;
  await db.transaction().execute(async (trx) => {
    const row = await settle(trx, taken, {
      status: sql`case when attempts + 1 >= ${attempts} then 'dead' else 'pending' end`,
      attempts: sql`attempts + 1`,
      run_at: sql`now() + interval '1 second' * power(2, attempts + 1)`,
      last_error: (error as Error).message.toWellFormed().replaceAll("\0", "").slice(0, 1000),
    });
    if (row?.status === "dead") await recordIntegrationEvent(trx, taken.organizationId, row);
  });
}

const settle = (
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
    .returning(eventColumns)
    .executeTakeFirst();
