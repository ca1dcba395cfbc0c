import { isUnavailable } from "@grove/db";
import { expireRequests } from "../agentRequests/expire";
import { type SliceStart, sweep } from "../dispatch/end/sweep";
import type { Services } from "../services";
import { GracePeriod } from "./gracePeriod";
import { deleteShortLived } from "./retention";

const EVERY_MS = 10_000;
const GRACE_MS = 60_000;

/** A tick this many periods late shows that the process was paused, or the clock set. */
const LATE_PERIODS = 3;
/**
 * Sweeps every few seconds. After a start, a database outage or a pause of the process, gives up no command for a
 * minute, because devices could not report. Each slice of a sweep checks whether that minute is over.
 * @returns a function that stops the sweeper
 */
export function startSweeper(services: Services): () => void {
  const { database, log, metrics } = services;
  const { everyMs = EVERY_MS, graceMs = GRACE_MS } = services.config.sweeper ?? {};
  const grace = new GracePeriod(graceMs);
  grace.begin();
  const unsubscribe = database.notifier.onReconnect(() => grace.begin());

  // The database may have become unreachable, or this process been paused, before the database's first response.
  const mayGiveUp = (start: SliceStart) =>
    grace.isOver(start) && database.notifier.connected && performance.now() - start.steadyMs < everyMs;

  async function round(): Promise<void> {
    try {
      await sweep(services, mayGiveUp);
      await expireRequests(database.db);
      await deleteShortLived(database.db);
      metrics?.swept();
    } catch (error) {
      if (isUnavailable(error)) grace.begin();
      log.error({ err: error }, "could not sweep device commands");
    }
  }

  let busy = false;
  // Not performance.now(), which pauses while a machine sleeps.
  let lastTick = Date.now();
  const timer = setInterval(() => {
    const sinceLastTick = Date.now() - lastTick;
    lastTick = Date.now();
    if (sinceLastTick < 0 || sinceLastTick > LATE_PERIODS * everyMs || !database.notifier.connected)
      grace.begin();
    // Skips a late round: it would run when the cause of its delay has ended.
    if (busy) return;
    busy = true;
    void round().finally(() => {
      busy = false;
    });
  }, everyMs);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
