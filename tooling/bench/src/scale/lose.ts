import { groveCommand } from "../benchmarks/command";
import { measure } from "../load";
import { median } from "../stats";
import { MEASURED_MS } from "./commands";
import type { Instances } from "./instances";
import { fewestOnline } from "./readings";

/** An instance takes 10 000 connections, those of callers among them. */
const MAX_DEVICES = 9_000;

/** Whether all but one instance can hold all devices. */
export const othersSuffice = (devices: number, instances: number): boolean =>
  devices <= (instances - 1) * MAX_DEVICES;

export interface Lost {
  backAfterS: number;
  maxOffline: number;
  /** The 99th percentile of commands between the other instances, as a multiple of its value before the loss. */
  p99: number;
}

/**
 * Stops or kills an instance, and starts it again once its devices are elsewhere. Until then callers of the first
 * instance send commands to devices there.
 * @param ids of all devices, which are connected to the instances in turn
 * @param back resolves when so many devices are online again
 */
export async function lose(
  instances: Instances,
  at: number,
  how: "stopped" | "killed",
  ids: readonly string[],
  back: (count: number) => Promise<void>,
): Promise<Lost> {
  const { grove, pids, urls } = instances;
  const calls = ids.filter((_, n) => n % urls.length === 0).map((id) => groveCommand(grove, id));
  let next = 0;
  const subject = { call: async () => calls[next++ % calls.length]?.(), pid: grove.pid };
  const before = await measure(subject, 1, MEASURED_MS);

  const began = performance.now();
  let isOver = false;
  const returned = back(Math.floor(ids.length / urls.length))
    .then(() => (performance.now() - began) / 1_000)
    .finally(() => {
      isOver = true;
    });
  // The promise is awaited only after the measurements beside it.
  returned.catch(() => {});
  const stop = new AbortController();
  const online = fewestOnline(grove.url, stop.signal);
  process.kill(pids[at] ?? Number.NaN, how === "killed" ? "SIGKILL" : "SIGTERM");
  const p99s: number[] = [];
  while (!isOver) p99s.push((await measure(subject, 1, 1_000)).p99);
  const backAfterS = await returned;
  stop.abort();
  const maxOffline = ids.length - (await online);
  await instances.restart(at);
  return { backAfterS, maxOffline, p99: median(p99s) / before.p99 };
}
