import { addPartitions } from "@grove/db";
import { ANALYTICS_DAYS } from "../lib/lifetimes";
import type { Services } from "../services";
import { dropCommands } from "./commands";
import { rollUpEvents } from "./events";
import { unlessLocked } from "./unlessLocked";

const EVERY_MS = 3_600_000;

/**
 * Keeps the tables that consist of parts: makes parts ahead, and drops those whose time is over. At the start, and then
 * every hour.
 * @returns a function that ends it
 */
export function startKeeper(services: Services): () => void {
  let busy = false;
  const keep = () => {
    if (busy) return;
    busy = true;
    void keepParts(services)
      .catch((error) => services.log.error({ err: error }, "could not keep the parts of tables"))
      .finally(() => {
        busy = false;
      });
  };
  keep();
  const timer = setInterval(keep, EVERY_MS);
  return () => clearInterval(timer);
}

async function keepParts({ database: { db }, config }: Services): Promise<void> {
  for (const table of ["analytics_events", "device_commands"] as const)
    await unlessLocked(db, (trx) => addPartitions(trx, table));
  await dropCommands(db);
  await rollUpEvents(db, config.analyticsDays ?? ANALYTICS_DAYS);
}
