import { endWhenDraining } from "../lib/draining";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { readSession, type SessionRow } from "./sessions";

/** The read that makes up for a wake-up that was lost. */
const SAFETY_READ_MS = 20_000;

/**
 * A session's row once it waits for input or has ended, or as it stands when `waitMs` have passed or the caller has
 * hung up.
 * @throws NOT_FOUND; SERVICE_UNAVAILABLE `server_draining` when the process shuts down
 */
export async function untilIdle(
  services: Services,
  key: { organizationId: string; id: string },
  waitMs: number,
  hungUp: AbortSignal = new AbortController().signal,
): Promise<SessionRow> {
  const { db, notifier } = services.database;
  const read = () => readSession(db, key);
  if (waitMs === 0) return read();
  const deadline = performance.now() + waitMs;
  const wakeUp = new WakeUp();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = notifier.subscribe("session_changed", key.id, () => wakeUp.wake());
  try {
    for (;;) {
      const session = await read();
      const left = deadline - performance.now();
      const isIdle = session.status !== "running" || session.waiting_for_input;
      if (isIdle || left <= 0 || hungUp.aborted) return session;
      endWhenDraining(services);
      await wakeUp.wait(Math.min(left, SAFETY_READ_MS), [hungUp, services.draining]);
    }
  } finally {
    unsubscribe();
  }
}
