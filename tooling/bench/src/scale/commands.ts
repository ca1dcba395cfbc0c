import { setTimeout as sleep } from "node:timers/promises";
import { groveCommand } from "../benchmarks/command";
import type { Grove } from "../grove";
import type { Call } from "../load";

const REFUSED_MS = 1_000;

/** Each command goes by the next instance to the next device. */
export function commands(grove: Grove, urls: readonly string[], ids: readonly string[]): Call {
  const calls = ids.map((id, at) =>
    // As if callers and devices had met by chance: of two instances, every other command crosses.
    groveCommand({ ...grove, url: urls[Math.floor(at / urls.length) % urls.length] ?? grove.url }, id),
  );
  let next = 0;
  return () => untilServed(calls[next++ % calls.length]);
}

/** Makes a call again that an overloaded instance has refused, as `packages/client` does. */
async function untilServed(call: Call | undefined): Promise<void> {
  for (;;) {
    try {
      return void (await call?.());
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("overloaded"))) throw error;
      await sleep(REFUSED_MS);
    }
  }
}
