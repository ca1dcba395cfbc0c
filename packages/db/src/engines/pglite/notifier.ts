import { AsyncResource } from "node:async_hooks";
import type { PGlite } from "@electric-sql/pglite";
import { FanOut } from "../../fanOut";
import type { Log } from "../../log";
import { channels, type OpenNotifier, requireShortPayload } from "../../notifier";

/** Delivers the announcements made on the one embedded instance. */
export async function listenOnPGlite(pglite: PGlite, log: Log): Promise<OpenNotifier> {
  const fanOut = new FanOut(log);
  // PGlite calls back from within the announcing query: listeners must not appear to be inside that transaction.
  const deliver = AsyncResource.bind((channel: string, payload: string) =>
    fanOut.deliver(channel, payload, true),
  );
  const endings: (() => Promise<void>)[] = [];
  for (const channel of channels)
    endings.push(await pglite.listen(channel, (payload) => deliver(channel, payload)));
  return {
    connected: true,
    subscribe: (channel, key, listener) => fanOut.subscribe(channel, key, listener),
    announce: (channel, payload) => {
      requireShortPayload(payload);
      fanOut.deliver(channel, payload, true);
    },
    onReconnect: (listener) => fanOut.onReconnect(listener),
    counts: fanOut.counts,
    close: async () => {
      for (const end of endings) await end();
    },
  };
}
