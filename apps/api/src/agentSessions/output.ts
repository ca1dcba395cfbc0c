import type { SessionOutputEvent } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { endWhenDraining } from "../lib/draining";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { readSession, toAgentSession } from "./sessions";

/** How many chunks are read at a time: a few megabytes at most. */
const BATCH = 50;
/** The read that makes up for a wake-up that was lost. */
const SAFETY_READ_MS = 20_000;

/**
 * A session's output: the chunks after `lastSequence` that are kept, each new one as it is reported, then the end.
 * Nothing twice and nothing left out but what is no longer kept, which the numbers tell.
 * @throws SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then comes back by itself
 */
export async function* sessionOutput(
  services: Services,
  key: { organizationId: string; id: string },
  lastSequence: number,
  hungUp: AbortSignal = new AbortController().signal,
): AsyncGenerator<TrackedEnvelope<SessionOutputEvent>, void> {
  const { db, notifier } = services.database;
  const wakeUp = new WakeUp();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = notifier.subscribe("session_changed", key.id, () => wakeUp.wake());
  try {
    let last = lastSequence;
    while (!hungUp.aborted) {
      // Read before the chunks: once it has ended there are no more than those.
      const session = await readSession(db, key);
      const chunks = await db
        .selectFrom("agent_session_output")
        .select(["sequence", "data"])
        .where("organization_id", "=", key.organizationId)
        .where("session_id", "=", key.id)
        .where("sequence", ">", last)
        .orderBy("sequence")
        .limit(BATCH)
        .execute();
      for (const { sequence, data } of chunks) {
        yield tracked(`${sequence}`, { type: "output", sequence, data });
        last = sequence;
      }
      if (chunks.length === BATCH) continue;
      if (session.status !== "running")
        return void (yield tracked(`${last}`, { type: "end", session: toAgentSession(session) }));
      endWhenDraining(services);
      await wakeUp.wait(SAFETY_READ_MS, [hungUp, services.draining]);
    }
  } finally {
    unsubscribe();
  }
}
