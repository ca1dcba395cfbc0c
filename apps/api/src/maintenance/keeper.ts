import { addPartitions } from "@grove/db";
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
const tables = ["analytics_events", "device_commands"] as const;

/**
 * Makes parts of tables ahead, and deletes what is too old: at the start, and then every hour. Of several instances one
 * does it.
 * @returns a function that ends it
 */
export function startKeeper(services: Services): () => void {
  let busy = false;
  const keep = () => {
    if (busy) return;
    busy = true;
    void keepAll(services)
      .catch((error) => {
        if (!services.draining.aborted)
          services.log.error({ err: error }, "could not delete what is too old");
      })
      .finally(() => {
        busy = false;
      });
  };
  keep();
  const timer = setInterval(keep, EVERY_MS);
  return () => clearInterval(timer);
}

async function keepAll({ database: { db }, config, draining }: Services): Promise<void> {
  // Not only in turn: nobody may have done so for long.
  for (const table of tables) await unlessLocked(db, (trx) => addPartitions(trx, table));
  const step = await takeTurn(db, draining);
  if (!step) return;
  await dropCommands(db);
  await clean(db, step);
  await removeLargeResults(step);
  await cutTails(step);
  await rollUpEvents(db, config.analyticsDays ?? ANALYTICS_DAYS, new Date(), step);
  for (const table of tables) await analyzeWhole(db, table, step);
}
