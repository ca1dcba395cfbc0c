import { addPartitions, type Database } from "@grove/db";
import type { Kysely } from "kysely";
import { ANALYTICS_DAYS } from "../lib/lifetimes";
import type { Services } from "../services";
import { dropCommands } from "./commands";
import { rollUpEvents } from "./events";
import { takeTurn } from "./progress";
import { removeLargeResults } from "./results";
import { clean } from "./retention";
import { cutTails } from "./tails";
import { unlessLocked } from "./unlessLocked";
import { analyzeWhole } from "./wholes";

const EVERY_MS = 3_600_000;
/** A process that has just started has more urgent work. */
const FIRST_MS = 60_000;
const tables = ["analytics_events", "device_commands"] as const;

/**
 * Makes parts of tables ahead: at the start, and then every hour. A minute later, and then every hour, one of several
 * instances deletes what is too old.
 * @returns a function that ends it
 */
export function startKeeper(services: Services): () => void {
  const { database, log, draining } = services;
  let busy = false;
  const keep = (work: () => Promise<void>) => {
    if (busy) return;
    busy = true;
    void work()
      .catch((error) => {
        if (!draining.aborted)
          log.error({ err: error }, "could not make parts of tables, or delete what is too old");
      })
      .finally(() => {
        busy = false;
      });
  };
  keep(() => makeParts(database.db));
  const first = setTimeout(() => keep(() => keepAll(services)), FIRST_MS);
  const timer = setInterval(() => keep(() => keepAll(services)), EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

async function makeParts(db: Kysely<Database>): Promise<void> {
  for (const table of tables) await unlessLocked(db, (trx) => addPartitions(trx, table));
}

async function keepAll({ database: { db }, config, draining }: Services): Promise<void> {
  // Not only in turn: nobody may have done so for long.
  await makeParts(db);
  const step = await takeTurn(db, draining);
  if (!step) return;
  await dropCommands(db);
  await clean(db, step);
  await removeLargeResults(step);
  await cutTails(step);
  await rollUpEvents(db, config.analyticsDays ?? ANALYTICS_DAYS, new Date(), step);
  for (const table of tables) await analyzeWhole(db, table, step);
}
