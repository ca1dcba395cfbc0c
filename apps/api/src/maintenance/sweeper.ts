import { isUnavailable } from "@grove/db";
import { type SliceStart, type SweepTimes, sweep } from "../dispatch/end/sweep";
import type { Services } from "../services";
import { GracePeriod } from "./gracePeriod";
import { deleteBrief } from "./retention";

/** When the sweeper runs, and when it gives up on a device. */
export interface SweeperTimes extends SweepTimes {
  everyMs: number;
  /** After a start or an outage nothing is given up for this long: devices need time to come back and report. */
  graceMs: number;
}

const EVERY_MS = 10_000;
const GRACE_MS = 60_000;

/** A tick that comes after this many periods shows that the process was stopped, or the clock set. */
const LATE_PERIODS = 3;
/**
 * Sweeps every few seconds. It gives up no command for a minute after anything that may have kept devices from
 * reporting: a start, a database outage, a stopped process. Whether that minute is over is decided when a sweep runs.
 * @returns a function that ends the sweeping
 */
export function startSweeper(services: Services): () => void {
  const { database, log, metrics } = services;
  const { everyMs = EVERY_MS, graceMs = GRACE_MS } = services.config.sweeper ?? {};
  const grace = new GracePeriod(graceMs);
  grace.begin();
  const unsubscribe = database.notifier.onReconnect(() => grace.begin());

  // The database may have gone away, or this process stood still, between the start and the database's first answer.
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
    // A late round is left out: it would run when the reason for its delay is over.
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
