import { endWhenDraining } from "../lib/draining";
import { FALLBACK_POLL_MS, WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { readSessionOnDevice, type SessionOnDevice } from "./row";

/**
 * A session's row once it waits for input or has ended, or its current row when `waitMs` have passed or the caller has
 * disconnected.
 * @throws {GroveError} NOT_FOUND; SERVICE_UNAVAILABLE `server_draining` when the process shuts down
 */
export async function untilIdle(
  services: Services,
  key: { organizationId: string; id: string },
  waitMs: number,
  clientGone: AbortSignal = new AbortController().signal,
): Promise<SessionOnDevice> {
  const { db, notifier } = services.database;
  const read = () => readSessionOnDevice(db, key);
  if (waitMs === 0) return read();
  const deadline = performance.now() + waitMs;
  const wakeUp = new WakeUp();
  // Subscribes before the first read, so that nothing is missed in between.
  const unsubscribe = notifier.subscribe("session_changed", key.id, () => wakeUp.wake());
  try {
    for (;;) {
      const session = await read();
      const left = deadline - performance.now();
      const isIdle = session.status !== "running" || session.waiting_for_input;
      if (isIdle || left <= 0 || clientGone.aborted) return session;
      endWhenDraining(services);
      await wakeUp.wait(Math.min(left, FALLBACK_POLL_MS), [clientGone, services.draining]);
    }
  } finally {
    unsubscribe();
  }
}
