import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { retry } from "@grove/signals/retry";
import type { Kysely } from "kysely";
import pg from "pg";
import { FanOut } from "../../fanOut";
import type { Log } from "../../log";
import { channels, type OpenNotifier, requireShortPayload } from "../../notifier";
import type { Database } from "../../tables";
import { BATCH_CHANNEL, batchAnnouncements } from "../announcer";
import { clientConfig, REQUIRE_WRITABLE } from "./postgres";

/** A connection that died silently is detected within the sum of these two. */
const PING_EVERY_MS = 15_000;
const PING_TIMEOUT_MS = 10_000;

const BACKOFF = { baseMs: 200, maxMs: 10_000 };

/**
 * Listens on a connection of its own. `url` must not lead to a transaction pooler, since LISTEN belongs to a session.
 * Reconnects with backoff, without limit; then every subscriber is notified to read again.
 * @param isOwn whether the server's process id of a connection belongs to this process
 * @param db sends announcements
 * @throws {Error} when the first connection cannot be made
 */
export async function listenOnPostgres(
  url: string,
  log: Log,
  isOwn: (pid: number) => boolean,
  db: Kysely<Database>,
): Promise<OpenNotifier> {
  const fanOut = new FanOut(log);
  const send = batchAnnouncements(db);
  const closing = new AbortController();
  const dial = () => connect(url, fanOut, isOwn);
  let client: pg.Client | undefined = await dial();

  const keepListening = async () => {
    while (client) {
      await untilConnectionLost(client, closing.signal);
      client = undefined;
      if (closing.signal.aborted) return;
      log.warn({}, "the listening database connection was lost");
      client = await reconnect(dial, log, closing.signal);
      if (!client) return;
      log.info({}, "listening on the database again");
      fanOut.resync();
    }
  };
  const ended = keepListening();

  return {
    get connected() {
      return client !== undefined;
    },
    subscribe: (channel, key, listener) => fanOut.subscribe(channel, key, listener),
    announce: (channel, payload) => {
      requireShortPayload(payload);
      fanOut.deliver(channel, payload, true);
      send(`${channel} ${payload}`).catch((error: unknown) =>
        log.warn({ err: error }, "other processes could not be notified"),
      );
    },
    onReconnect: (listener) => fanOut.onReconnect(listener),
    counts: fanOut.counts,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

async function connect(url: string, fanOut: FanOut, isOwn: (pid: number) => boolean): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(url), query_timeout: PING_TIMEOUT_MS });
  // The "end" that follows is handled. Without a listener, "error" would end the process.
  client.on("error", () => {});
  client.on("notification", ({ channel, payload = "", processId }) => {
    if (channel !== BATCH_CHANNEL) return fanOut.deliver(channel, payload, isOwn(processId));
    // This process's announcements were delivered when they were made.
    if (isOwn(processId)) return;
    for (const announcement of payload.split("\n")) {
      const end = announcement.indexOf(" ");
      fanOut.deliver(announcement.slice(0, end), announcement.slice(end + 1), false);
    }
  });
  try {
    await client.connect();
    await client.query([...channels, BATCH_CHANNEL].map((channel) => `listen ${channel}`).join(";"));
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Retries until it is connected. Returns undefined if the notifier is closed before that. */
const reconnect = (dial: () => Promise<pg.Client>, log: Log, closed: AbortSignal) =>
  retry(dial, {
    ...BACKOFF,
    signal: closed,
    retryable: () => true,
    onRetry: (error) => log.warn({ err: error }, "the database cannot be listened to"),
  }).catch((error) => {
    if (closed.aborted) return undefined;
    throw error;
  });

/** Resolves when the connection has ended, does not respond, or `closed` is aborted. Closes the connection. */
async function untilConnectionLost(client: pg.Client, closed: AbortSignal): Promise<void> {
  const finished = new AbortController();
  const signal = AbortSignal.any([closed, finished.signal]);
  const pinging = async () => {
    while (true) {
      await sleep(PING_EVERY_MS, undefined, { signal });
      // A server that is no longer the primary sends no notifications.
      await client.query(REQUIRE_WRITABLE);
    }
  };
  await Promise.race([once(client, "end", { signal }), pinging()]).catch(() => {});
  finished.abort();
  void client.end().catch(() => {});
}
