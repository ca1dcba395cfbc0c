import { AsyncResource } from "node:async_hooks";
import type { PGlite } from "@electric-sql/pglite";
import { newId } from "../ids";
import type { Log } from "../log";
import { channels, FanOut, type OpenNotifier } from "../notifier";

/** Delivers the announcements made on the one embedded instance. */
export async function listenOnPGlite(pglite: PGlite, log: Log): Promise<OpenNotifier> {
  const fanOut = new FanOut(log);
  // PGlite calls from within the query that announced: its listeners must not seem to be inside that transaction.
  const deliver = AsyncResource.bind((channel: string, payload: string) =>
    fanOut.deliver(channel, payload, true),
  );
  const endings: (() => Promise<void>)[] = [];
  for (const channel of channels)
    endings.push(await pglite.listen(channel, (payload) => deliver(channel, payload)));
  return {
    connected: true,
    subscribe: (channel, key, listener) => fanOut.subscribe(channel, key, listener),
    newId,
    onReconnect: (listener) => fanOut.onReconnect(listener),
    settled: () => Promise.resolve(),
    counts: fanOut.counts,
    close: async () => {
      for (const end of endings) await end();
    },
  };
}
