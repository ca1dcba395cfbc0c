import { addPartitions, type Database, databaseTime } from "@grove/db";
import type { Kysely } from "kysely";
import { ANALYTICS_DAYS } from "../lib/lifetimes";
import type { Services } from "../services";
import { analyzeParent } from "./analyzeParents";
import { dropCommands } from "./commands";
import { rollUpEvents } from "./events";
import { endTurn, type Step, takeTurn } from "./progress";
import { removeLargeResults } from "./results";
import { clean } from "./retention";
import { skipIfLocked } from "./skipIfLocked";
import { cutTails } from "./tails";

/** When the maintenance jobs run. */
export interface MaintenanceTimes {
  /** A process that has just started has more urgent work. */
  firstMs: number;
  /** From the end of one look to the next. Hourly work that another instance has left waits for at most this long. */
  everyMs: number;
}

const FIRST_MS = 60_000;
const EVERY_MS = 300_000;
const tables = ["analytics_events", "device_commands"] as const;

/**
 * Makes parts of tables ahead: at the start, and then at each look. The first look is a minute after the start, or as
 * soon as the parts are made. Once an hour one of several instances deletes what is too old.
 * @returns a function that ends it
 */
export function startMaintenanceJobs(services: Services): () => void {
  const { config, database, log, draining } = services;
  const { firstMs = FIRST_MS, everyMs = EVERY_MS } = config.maintenance ?? {};
  const firstAt = performance.now() + firstMs;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const keep = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!draining.aborted)
        log.error({ err: error }, "could not make parts of tables, or delete what is too old");
    }
  };
  const lookIn = (ms: number) => {
    if (!isEnded) timer = setTimeout(() => void look(), ms);
  };
  const look = async () => {
    await keep(() => keepAll(services));
    lookIn(everyMs);
  };
  void keep(() => makeParts(database.db)).then(() => lookIn(firstAt - performance.now()));
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

async function makeParts(db: Kysely<Database>): Promise<void> {
  const now = await databaseTime(db);
  for (const table of tables) await skipIfLocked(db, (trx) => addPartitions(trx, table, now));
}

async function keepAll(services: Services): Promise<void> {
  const { database, draining } = services;
  // Not only in turn: nobody may have done so for long.
  await makeParts(database.db);
  const step = await takeTurn(database.db, draining);
  if (!step) return;
  try {
    await deleteAll(services, step);
  } finally {
    // After an error, too, which the next minutes would only repeat.
    await endTurn(step);
  }
}

async function deleteAll({ database: { db }, config }: Services, step: Step): Promise<void> {
  const now = await databaseTime(db);
  await dropCommands(db, now);
  await clean(db, step);
  await removeLargeResults(step);
  await cutTails(step);
  await rollUpEvents(db, config.analyticsDays ?? ANALYTICS_DAYS, now, step);
  for (const table of tables) await analyzeParent(db, table, step);
}
