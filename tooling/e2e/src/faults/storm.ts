import { spawnSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { startPostgres } from "@grove/testing/postgres";
import { pick, type Random } from "@grove/testing/random";
import type { ApiInstance, Cloud } from "./world/cloud";
import type { DeviceMachine } from "./world/device";

type Postgres = Awaited<ReturnType<typeof startPostgres>>;

export interface Scene {
  cloud: Cloud;
  devices: DeviceMachine[];
  postgres: Postgres;
}

/** Resolves to false if it had no effect. */
type Fault = (scene: Scene, random: Random) => Promise<unknown>;

const one = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
};
/** Larger than the other files that git and the device agent write. */
const MIN_FILE_BYTES = 16_384;

const between = (random: Random, min: number, max: number) => min + random() * (max - min);

const restart = async (instance: ApiInstance, signal: NodeJS.Signals, awayMs: number) => {
  await instance.kill(signal);
  await sleep(awayMs);
  await instance.listen();
};

/** The device's disk has no room for its journal for a while. */
async function fillJournal({ devices }: Scene, random: Random): Promise<boolean> {
  const device = one(random, devices);
  const { size } = await stat(device.journal);
  const mark = device.written;
  device.limitFiles(Math.max(size, MIN_FILE_BYTES));
  await sleep(between(random, 500, 5_000));
  device.limitFiles();
  return device.outputSince(mark).includes("EFBIG");
}

/** The commands that a journal shows as begun, and neither as ended nor as confirmed by the cloud. */
function openIn(journal: string): Set<string> {
  const open = new Set<string>();
  for (const [line, type] of journal.matchAll(/^\{"type":"(begin|finish|confirm)".*/gm))
    for (const [id] of line.slice(0, line.indexOf('"outcome"')).matchAll(/[\da-f]{8}-[\da-f-]{27}/g))
      if (type === "begin") open.add(id);
      else open.delete(id);
  return open;
}

/** Overwrites the journal with an older state, as a backup that is restored in place would. */
async function restoreJournal({ devices }: Scene, random: Random): Promise<boolean> {
  const device = one(random, devices);
  const backup = await readFile(device.journal);
  await device.kill("SIGTERM");
  device.start();
  // A device agent undoes half-made work before it exits. If it had no time for that, only this journal records the
  // work.
  for (let attempt = 0; attempt < 10; attempt++) {
    await sleep(between(random, 500, 4_000));
    await device.kill("SIGTERM");
    const atRest = openIn(await readFile(device.journal, "utf8")).size === 0;
    if (atRest) await writeFile(device.journal, backup);
    device.start();
    if (atRest) return true;
  }
  return false;
}

/** Whether this machine lets the soak make PID namespaces. */
const hasNamespaces =
  process.platform === "linux" &&
  spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

/**
 * A second device agent starts on the home, as when an orchestrator replaces a container before it has ended. It takes
 * over when the first one ends, and in turn is replaced.
 */
async function replaceContainer({ devices }: Scene, random: Random): Promise<void> {
  const device = one(random, devices);
  const second = device.inOtherNamespace();
  const signal = random() < 0.5 ? "SIGKILL" : "SIGTERM";
  second.start();
  await sleep(between(random, 300, 3_000));
  await device.kill(signal);
  await sleep(between(random, 300, 6_000));
  device.start();
  await sleep(between(random, 300, 3_000));
  await second.kill("SIGKILL");
}

/** PostgreSQL is down for a while, as after a crash of its machine; the API lives on. */
async function loseDatabase({ postgres }: Scene, awayMs: number): Promise<void> {
  if (postgres.pid === undefined) throw new Error("This PostgreSQL is not the soak's own.");
  process.kill(postgres.pid, "SIGKILL");
  await sleep(awayMs);
  await postgres.restart?.();
}

/** Each fault breaks a part of the system, and repairs it before it resolves. */
const faults: Record<string, [weight: number, fault: Fault]> = {
  "API killed": [
    3,
    ({ cloud }, random) => restart(one(random, cloud.instances), "SIGKILL", between(random, 0, 1_500)),
  ],
  "API drained": [
    2,
    ({ cloud }, random) => restart(one(random, cloud.instances), "SIGTERM", between(random, 0, 500)),
  ],
  "API stopped": [
    2,
    async ({ cloud }, random) => {
      const instance = one(random, cloud.instances);
      instance.pause();
      await sleep(between(random, 200, 8_000));
      instance.resume();
    },
  ],
  "device killed": [
    4,
    async ({ devices }, random) => {
      const device = one(random, devices);
      await device.kill();
      await sleep(between(random, 0, 1_000));
      device.start();
    },
  ],
  "device ended": [
    1,
    async ({ devices }, random) => {
      const device = one(random, devices);
      await device.kill("SIGTERM");
      device.start();
    },
  ],
  "device stopped": [
    1,
    async ({ devices }, random) => {
      const device = one(random, devices);
      device.pause();
      await sleep(between(random, 200, 12_000));
      device.resume();
    },
  ],
  "database connections cut": [3, ({ cloud }) => cloud.cutDatabase()],
  "PostgreSQL restarted": [1, async ({ postgres }) => postgres.restart?.()],
  // Longer than the grace of the soak's sweeper, and than the shortest time-out.
  "PostgreSQL unreachable": [1, (scene, random) => loseDatabase(scene, between(random, 5_000, 20_000))],
  // Longer than a presence lease, and than a stream or call waits for a database connection.
  "PostgreSQL unreachable for a minute": [
    1,
    (scene, random) => loseDatabase(scene, between(random, 60_000, 75_000)),
  ],
  "commits stalled": [
    1,
    async ({ cloud }, random) => {
      // Each commit waits for a standby that does not exist.
      await cloud.query("alter system set synchronous_standby_names = 'missing'");
      await cloud.query("select pg_reload_conf()");
      await sleep(between(random, 1_000, 12_000));
      await cloud.query("alter system reset synchronous_standby_names");
      await cloud.query("select pg_reload_conf()");
    },
  ],
  ...(process.platform === "linux" && { "journal full": [2, fillJournal] satisfies [number, Fault] }),
  "journal restored": [1, restoreJournal],
  ...(hasNamespaces && {
    "second agent in another PID namespace": [1, replaceContainer] satisfies [number, Fault],
  }),
  // The clock is changed by less than the hour that the clocks of two machines may differ.
  "clock of an API set": [
    2,
    async ({ cloud }, random) => {
      const instance = one(random, cloud.instances);
      await instance.setClock(between(random, -1_800_000, 1_800_000));
      await sleep(between(random, 200, 8_000));
      await instance.setClock(0);
    },
  ],
  "line cut": [4, async ({ devices }, random) => one(random, devices).line.cut()],
  "line stalled": [
    2,
    async ({ devices }, random) => {
      const { line } = one(random, devices);
      line.stall();
      await sleep(between(random, 200, 4_000));
      line.open();
    },
  ],
  "line buffered": [
    2,
    async ({ devices }, random) => {
      const { line } = one(random, devices);
      line.buffer();
      await sleep(between(random, 200, 4_000));
      line.open();
    },
  ],
};

/** Every fault that can happen on this machine. */
export const faultNames: readonly string[] = Object.keys(faults);

/**
 * Causes one fault after another until `over` is aborted. Each fault is repaired before the next. How many devices,
 * instances and commands there are is set in `main.ts` and `soak.ts`.
 * @param limits faults that do not happen, and the number after which no more do
 * @param happened called for each fault that has struck
 */
export async function storm(
  scene: Scene,
  random: Random,
  over: AbortSignal,
  { without, maxFaults }: { without: readonly string[]; maxFaults: number },
  happened: (fault: string) => void,
): Promise<void> {
  const choices = Object.entries(faults)
    .filter(([name]) => !without.includes(name))
    .map(([name, [weight]]) => [weight, name] as const);
  for (let caused = 0; caused < maxFaults && !over.aborted; caused++) {
    const name = pick(random, choices);
    if ((await faults[name]?.[1](scene, random)) !== false) happened(name);
    await sleep(between(random, 100, 1_200), undefined, { signal: over }).catch(() => {});
  }
}
