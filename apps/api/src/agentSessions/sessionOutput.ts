import type { SessionOutputEvent } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { type Followed, follow, type Reading } from "../lib/follow";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { readSession, toAgentSession } from "./row";
import { TypingUsers } from "./typingUsers";
import { keepWatched, RENEW_MS } from "./viewers";

/** How many chunks are read per query: a few megabytes at most. */
const BATCH = 50;

/**
 * Streams a session's output: its terminal's size, first and whenever it changes; the kept chunks after `lastSequence`,
 * each new chunk when it is reported, the users who type, then the end. No chunk comes twice. A gap in the numbers
 * shows that chunks are no longer kept. Until it ends, the session counts as watched.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then reconnects
 * by itself
 */
export async function* sessionOutput(
  services: Services,
  key: { organizationId: string; id: string },
  lastSequence: number,
  clientGone: AbortSignal | undefined,
): AsyncGenerator<TrackedEnvelope<SessionOutputEvent>, void> {
  const { db } = services.database;
  let last = lastSequence;
  let size = "";
  const wakeUp = new WakeUp();
  let mustRenew = true;
  const renewal = setInterval(() => {
    mustRenew = true;
    wakeUp.wake();
  }, RENEW_MS);
  const typing = new TypingUsers();
  const followed: Followed = {
    channel: "session_changed",
    key: key.id,
    clientGone,
    wakeUp,
    requiresRead: (event) => typing.add(event),
  };
  const events = follow(services, followed, async function* (): Reading<TrackedEnvelope<SessionOutputEvent>> {
    // Before the chunks are read: the chunks after them are announced.
    if (mustRenew) await keepWatched(db, key);
    mustRenew = false;
    // Read before the chunks: once the session has ended, no chunks follow.
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
    const { columns, rows } = session;
    if (size !== `${columns}x${rows}`) {
      size = `${columns}x${rows}`;
      yield tracked(`${last}`, { type: "size", columns, rows });
    }
    for (const { sequence, data } of chunks) {
      yield tracked(`${sequence}`, { type: "output", sequence, data });
      last = sequence;
    }
    for (const userId of typing.take()) yield tracked(`${last}`, { type: "typing", userId });
    if (chunks.length === BATCH) return "more";
    if (session.status === "running") return undefined;
    yield tracked(`${last}`, { type: "end", session: toAgentSession(session, true) });
    return "end";
  });
  try {
    yield* events;
  } finally {
    clearInterval(renewal);
  }
}
