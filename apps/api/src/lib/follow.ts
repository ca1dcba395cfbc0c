import type { GroveDatabase } from "@grove/db";
import { endWhenDraining } from "./draining";
import { FALLBACK_POLL_MS } from "./fallbackPoll";
import { WakeUp } from "./wakeUp";

type Subscribe = GroveDatabase["notifier"]["subscribe"];

/** A key to follow. */
export interface Followed {
  channel: Parameters<Subscribe>[0];
  key: string;
  /** Whether an announcement requires a read. By default, each one does. */
  requiresRead?: (event: Parameters<Parameters<Subscribe>[2]>[0]) => boolean;
  /** Aborted when the client has disconnected. */
  clientGone: AbortSignal | undefined;
  /** Wakes the reading besides announcements. */
  wakeUp?: WakeUp;
  /** Details of the error that ends the stream when the process shuts down. */
  details?: Record<string, unknown>;
}

/** One reading of everything new. Returns `more` to be called again immediately, and `end` to end the stream. */
export type Reading<Event> = AsyncGenerator<Event, "more" | "end" | undefined>;

/**
 * Follows one key of a channel: calls `read` first, and again after each announcement. It subscribes before the first
 * read and polls as a fallback, so that nothing is missed.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then reconnects
 * by itself
 */
export async function* follow<Event>(
  services: {
    database: Pick<GroveDatabase, "notifier">;
    draining: AbortSignal;
    metrics?: { found(what: "event"): void } | undefined;
  },
  {
    channel,
    key,
    requiresRead = () => true,
    clientGone = new AbortController().signal,
    wakeUp = new WakeUp(),
    details,
  }: Followed,
  read: () => Reading<Event>,
): AsyncGenerator<Event, void> {
  const unsubscribe = services.database.notifier.subscribe(channel, key, (event) => {
    if (requiresRead(event)) wakeUp.wake();
  });
  try {
    let isFallback = false;
    while (!clientGone.aborted) {
      const next = yield* isFallback ? onFirstEvent(read(), () => services.metrics?.found("event")) : read();
      isFallback = false;
      if (next === "end") return;
      if (next === "more") continue;
      endWhenDraining(services, details);
      isFallback = await wakeUp.wait(FALLBACK_POLL_MS, [clientGone, services.draining]);
    }
  } finally {
    unsubscribe();
  }
}

/** Wraps a reading; calls `found` before its first event. */
async function* onFirstEvent<Event>(reading: Reading<Event>, found: () => void): Reading<Event> {
  const first = await reading.next();
  if (first.done) return first.value;
  found();
  yield first.value;
  return yield* reading;
}
