import { meetsWait, type SessionWait } from "@grove/schemas";
import { endWhenDraining } from "../lib/draining";
import { FALLBACK_POLL_MS } from "../lib/fallbackPoll";
import { notFound } from "../lib/notFound";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { readSessionsOnDevices, type SessionOnDevice, toAgentSession } from "./row";

interface Wait {
  organizationId: string;
  until: SessionWait;
  waitMs: number;
}

/**
 * Returns the sessions' rows once one of them meets `until`, or their current rows when `waitMs` have passed or the
 * caller has disconnected.
 * @throws {GroveError} NOT_FOUND; SERVICE_UNAVAILABLE `server_draining` when the process shuts down
 */
export async function waitForSessions(
  services: Services,
  { organizationId, ids, until, waitMs }: Wait & { ids: readonly string[] },
  clientGone: AbortSignal = new AbortController().signal,
): Promise<SessionOnDevice[]> {
  const { db, notifier } = services.database;
  const read = () => readSessionsOnDevices(db, organizationId, ids);
  const deadline = performance.now() + waitMs;
  const wakeUp = new WakeUp();
  // Subscribes before the first read, so that nothing is missed in between.
  const subscriptions =
    waitMs === 0 ? [] : ids.map((id) => notifier.subscribe("session_changed", id, () => wakeUp.wake()));
  try {
    for (;;) {
      const rows = await read();
      const remainingMs = deadline - performance.now();
      const isFulfilled = rows.some((row) => meetsWait(toAgentSession(row, false), until));
      if (isFulfilled || remainingMs <= 0 || clientGone.aborted) return rows;
      endWhenDraining(services);
      await wakeUp.wait(Math.min(remainingMs, FALLBACK_POLL_MS), [clientGone, services.draining]);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

/** Like {@link waitForSessions}, for one session. */
export async function waitForSession(
  services: Services,
  { id, ...wait }: Wait & { id: string },
  clientGone?: AbortSignal,
): Promise<SessionOnDevice> {
  const [row] = await waitForSessions(services, { ...wait, ids: [id] }, clientGone);
  if (!row) throw notFound("agent session", id);
  return row;
}
