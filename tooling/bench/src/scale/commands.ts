import { setTimeout as sleep } from "node:timers/promises";
import { groveCommand } from "../benchmarks/command";
import { type Call, measure, warmUp } from "../load";
import type { Instances } from "./instances";
import { announcements, readings, spent, watchLocks } from "./readings";

const REFUSED_MS = 1_000;
export const MEASURED_MS = 10_000;
/** Commands in flight on each instance, so that all make batches of the same size, however many instances there are. */
export const IN_FLIGHT = 64;

/**
 * How a command reaches an instance. `routed`: the instance of its device's stream, as by a proxy that routes by
 * `x-grove-device`. `by chance`: any instance.
 */
export type Way = "routed" | "by chance";

/** Each command goes to the next device. Devices are connected to the instances in turn. */
function commands({ grove, urls }: Instances, ids: readonly string[], way: Way): Call {
  const calls = ids.map((id, at) => {
    const turn = way === "routed" ? at : Math.floor(at / urls.length);
    return groveCommand({ ...grove, url: urls[turn % urls.length] ?? grove.url }, id);
  });
  let next = 0;
  return () => untilServed(calls[next++ % calls.length]);
}

/** The costs of a command while many are in flight, for all instances together. */
export async function commandCosts(instances: Instances, ids: readonly string[], way: Way) {
  const { databaseUrl, urls, pids, grove } = instances;
  const call = commands(instances, ids, way);
  for (const _ of urls) await warmUp(call);
  await instances.analyze();
  const stop = new AbortController();
  const locks = watchLocks(databaseUrl, stop.signal);
  const before = await readings(databaseUrl, pids);
  const announced = await announcements(urls);
  const load = await measure({ call, pid: grove.pid }, IN_FLIGHT * urls.length, MEASURED_MS);
  const after = await announcements(urls);
  const busy = spent(before, await readings(databaseUrl, pids));
  stop.abort();
  const count = (load.perSecond * MEASURED_MS) / 1_000;
  const sent = after.sent - announced.sent;
  return {
    perSecond: load.perSecond,
    p99: load.p99,
    api: busy.api / count,
    postgres: busy.postgres / count,
    wal: busy.wal / count,
    announcements: sent / count,
    deliveries: (after.delivered - announced.delivered) / sent,
    waits: await locks,
  };
}

/** Retries a call that an overloaded instance has refused, as `packages/client` does. */
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
