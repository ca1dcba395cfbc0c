import { isUnavailable } from "@grove/db";
import { type SliceStart, type SweepTimes, sweep } from "../dispatch/end/sweep";
import type { Services } from "../services";
import { GracePeriod } from "./gracePeriod";
import { deleteBrief } from "./retention";

/** How often the sweeper runs, and when it gives up on a device. */
export interface SweeperTimes extends SweepTimes {
  everyMs: number;
  /** After a start or an outage no command is given up for this long: devices need time to reconnect and report. */
  graceMs: number;
}

const EVERY_MS = 10_000;
const GRACE_MS = 60_000;

/** A tick this many periods late shows that the process was paused, or the clock set. */
const LATE_PERIODS = 3;
/**
 * Sweeps every few seconds. It gives up no command for a minute after anything that may have kept devices from
 * reporting: a start, a database outage, a paused process. Each slice of a sweep checks whether that minute is over.
 * @returns a function that stops the sweeper
 */
export function startSweeper(services: Services): () => void {
  const { database, log, metrics } = services;
  const { everyMs = EVERY_MS, graceMs = GRACE_MS } = services.config.sweeper ?? {};
  const grace = new GracePeriod(graceMs);
  grace.begin();
  const unsubscribe = database.notifier.onReconnect(() => grace.begin());

  // The database may have become unreachable, or this process been paused, before the database's first answer.
  const mayGiveUp = (start: SliceStart) =>
    grace.isOver(start) && database.notifier.connected && performance.now() - start.steadyMs < everyMs;

  async function round(): Promise<void> {
    try {
      await sweep(services, mayGiveUp);
      await deleteBrief(database.db);
      metrics?.swept();
    } catch (error) {
      if (isUnavailable(error)) grace.begin();
      log.error({ err: error }, "could not sweep device commands");
    }
  }

  let busy = false;
  // Not performance.now(), which stands still while a machine sleeps.
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
