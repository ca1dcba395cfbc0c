import { addPartitions, type Database, databaseTime } from "@grove/db";
import type { Kysely } from "kysely";
import { ANALYTICS_DAYS } from "../lib/lifetimes";
import type { Services } from "../services";
import { analyzeParent } from "./analyzeParents";
import { dropCommands } from "./dropCommands";
import { endTurn, type Step, takeTurn } from "./hourlyWork";
import { removeLargeResults } from "./removeLargeResults";
import { clean } from "./retention";
import { rollUpEvents } from "./rollUpEvents";
import { skipIfLocked } from "./skipIfLocked";
import { trimOutput } from "./trimOutput";

const FIRST_MS = 60_000;
const EVERY_MS = 300_000;
const tables = ["analytics_events", "device_commands"] as const;

/**
 * Creates partitions ahead: at the start, and then in each run. The first run is a minute after the start, or later,
 * once the partitions exist. Once an hour, one of the instances deletes expired rows.
 * @returns a function that stops the jobs
 */
export function startMaintenanceJobs(services: Services): () => void {
  const { config, database, log, draining } = services;
  const { firstMs = FIRST_MS, everyMs = EVERY_MS } = config.maintenance ?? {};
  const firstAt = performance.now() + firstMs;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const logErrors = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!draining.aborted) log.error({ err: error }, "could not create partitions, or delete expired rows");
    }
  };
  const schedule = (ms: number) => {
    if (!isEnded) timer = setTimeout(() => void run(), ms);
  };
  const run = async () => {
    await logErrors(() => runJobs(services));
    schedule(everyMs);
  };
  void logErrors(() => createPartitions(database.db)).then(() => schedule(firstAt - performance.now()));
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

async function createPartitions(db: Kysely<Database>): Promise<void> {
  const now = await databaseTime(db);
  for (const table of tables) await skipIfLocked(db, (trx) => addPartitions(trx, table, now));
}

async function runJobs(services: Pick<Services, "config" | "database" | "draining">): Promise<void> {
  const { database, draining } = services;
  // Outside the hourly turn: partitions must exist even if no instance finishes that work for long.
  await createPartitions(database.db);
  const step = await takeTurn(database.db, draining);
  if (!step) return;
  try {
    await deleteAll(services, step);
  } finally {
    // After an error, too: it would recur in each of the next minutes.
    await endTurn(step);
  }
}

async function deleteAll(
  { database: { db }, config }: Pick<Services, "config" | "database">,
  step: Step,
): Promise<void> {
  const now = await databaseTime(db);
  await dropCommands(db, now);
  await clean(db, step);
  await removeLargeResults(step);
  await trimOutput(step);
  await rollUpEvents(db, config.analyticsDays ?? ANALYTICS_DAYS, now, step);
  for (const table of tables) await analyzeParent(db, table, step);
}
