import { setTimeout as sleep } from "node:timers/promises";
import { natsBinary, startNats } from "@grove/testing/nats";
import type { Context } from "../benchmark";
import { connectFleet } from "../fleets";
import { type Grove, signUpTo, startApi } from "../grove";
import { measure, warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import { memoryOf, untilEnded } from "../processes";
import type { Scope } from "../scope";
import { median } from "../stats";
import { commands } from "./commands";
import { announcements, fewestOnline, METRICS_TOKEN, readings, spent, watchLocks } from "./readings";

/** Every device has been asked for a beat within this time, and is then idle. */
const SETTLE_MS = 20_000;
export const IDLE_MS = 60_000;
export const COMMANDS_MS = 10_000;
export const IN_FLIGHT = 64;
const DRAIN_SECONDS = 30;
/** An instance takes 10 000 connections, those of callers among them. */
const MOST_DEVICES_OF_INSTANCE = 9_000;

interface Point {
  devices: number;
  instances: number;
}

/** The costs of a device or a command. */
export interface Costs {
  "API, ms of the processor a device-minute": number;
  "PostgreSQL, ms of the processor a device-minute": number;
  "transactions a device-minute": number;
  "WAL, bytes a device-minute": number;
  "memory of the API, KiB a stream": number;
  "API, ms of the processor a command": number;
  "PostgreSQL, ms of the processor a command": number;
  "WAL, bytes a command": number;
}

/** Figures that are no costs, or have none at the first point. */
interface Facts {
  "connects a second": number;
  "commands/s": number;
  "  p99 ms": number;
  "  announcements a command": number;
  "  deliveries an announcement": number;
  "  waits for a lock of the whole server, of 1 000 looks": number;
  [lost: `an instance ${string}`]: number;
}

/** Connects the devices, leaves them idle, sends them commands, and stops and kills instances. */
export async function measurePoint(
  { progress }: Context,
  scope: Scope,
  point: Point,
  flushMs: number,
): Promise<{ costs: Costs; facts: Facts }> {
  const { devices, instances } = point;
  const say = (what: string) => progress(`${devices} devices on ${instances}: ${what}`);
  say("starting");
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const bus = await natsUrl(scope);
  const startInstance = (port = "0") =>
    startApi(scope, databaseUrl, {
      METRICS_TOKEN,
      DRAIN_SECONDS: `${DRAIN_SECONDS}`,
      ...(bus && { NATS_URL: bus }),
      PORT: port,
    });
  const apis: { url: string; pid: number }[] = [];
  for (let n = 0; n < instances; n++) apis.push(await startInstance());
  const [first] = apis;
  if (!first) throw new Error("A point has at least one instance.");
  const grove = await signUpTo(first);
  const urls = apis.map(({ url }) => url);
  const pids = apis.map(({ pid }) => pid);
  await warmUp(() => grove.client.organization.list.query());
  const memory = () => pids.reduce((sum, pid) => sum + (memoryOf(pid)?.now ?? Number.NaN), 0);
  const empty = memory();

  say("connecting");
  const began = performance.now();
  const { ids, back } = await connectFleet(scope, grove, databaseUrl, devices, urls);
  const connectedS = (performance.now() - began) / 1_000;
  await postgres.analyze();
  await sleep(SETTLE_MS);
  say("idle");
  const full = memory();
  const beforeIdle = await readings(databaseUrl, pids);
  await sleep(IDLE_MS);
  const idle = spent(beforeIdle, await readings(databaseUrl, pids));

  say("commands");
  const call = commands(grove, urls, ids);
  await warmUp(call);
  // As autovacuum does within a minute. A table that was empty at the last look is planned to be read whole.
  await postgres.analyze();
  const stop = new AbortController();
  const locks = watchLocks(databaseUrl, stop.signal);
  const beforeCommands = await readings(databaseUrl, pids);
  const announced = await announcements(urls);
  const load = await measure({ call, pid: first.pid }, IN_FLIGHT, COMMANDS_MS);
  const after = await announcements(urls);
  const busy = spent(beforeCommands, await readings(databaseUrl, pids));
  stop.abort();
  const othersSuffice = devices <= (instances - 1) * MOST_DEVICES_OF_INSTANCE;
  /** Loses the last instance but `later`, and starts it again at the same address. */
  const loseOne = async (how: "stopped" | "killed", later: number) => {
    const lost = apis[instances - 1 - later];
    if (!lost) return {};
    say(`an instance is ${how}`);
    const facts = await lose(point, grove, ids, back, how, lost.pid);
    await untilEnded(lost.pid);
    await startInstance(new URL(lost.url).port);
    return facts;
  };
  const count = (load.perSecond * COMMANDS_MS) / 1_000;
  const sent = after.sent - announced.sent;

  const minutes = (devices * IDLE_MS) / 60_000;
  return {
    costs: {
      "API, ms of the processor a device-minute": idle.api / minutes,
      "PostgreSQL, ms of the processor a device-minute": idle.postgres / minutes,
      "transactions a device-minute": idle.transactions / minutes,
      "WAL, bytes a device-minute": idle.wal / minutes,
      "memory of the API, KiB a stream": ((full - empty) * 1_024) / devices,
      "API, ms of the processor a command": busy.api / count,
      "PostgreSQL, ms of the processor a command": busy.postgres / count,
      "WAL, bytes a command": busy.wal / count,
    },
    facts: {
      "connects a second": devices / connectedS,
      "commands/s": load.perSecond,
      "  p99 ms": load.p99,
      "  announcements a command": sent / count,
      "  deliveries an announcement": (after.delivered - announced.delivered) / sent,
      "  waits for a lock of the whole server, of 1 000 looks": await locks,
      ...(othersSuffice && (await loseOne("stopped", 0))),
      ...(othersSuffice && instances > 2 && (await loseOne("killed", 1))),
    },
  };
}

/** Stops or kills an instance, while callers of the first send commands to devices there. */
async function lose(
  { devices, instances }: Point,
  grove: Grove,
  ids: readonly string[],
  back: (count: number) => Promise<void>,
  how: "stopped" | "killed",
  pid: number,
): Promise<Partial<Facts>> {
  const own = ids.filter((_, at) => at % instances === 0);
  const subject = { call: commands(grove, [grove.url], own), pid: grove.pid };
  const before = await measure(subject, 1, COMMANDS_MS);
  const began = performance.now();
  let isOver = false;
  const returned = back(Math.floor(devices / instances))
    .then(() => (performance.now() - began) / 1_000)
    .finally(() => {
      isOver = true;
    });
  // It is awaited only after the measurements beside it.
  returned.catch(() => {});
  const stop = new AbortController();
  const online = fewestOnline(grove.url, stop.signal);
  process.kill(pid, how === "killed" ? "SIGKILL" : "SIGTERM");
  const p99s: number[] = [];
  while (!isOver) p99s.push((await measure(subject, 1, 1_000)).p99);
  const backAfterS = await returned;
  stop.abort();
  return {
    [`an instance ${how}: its devices are online elsewhere after, s`]: backAfterS,
    [`an instance ${how}: most devices that were shown offline at a time`]: devices - (await online),
    [`an instance ${how}: p99 of the others' commands, × before`]: median(p99s) / before.p99,
  };
}

async function natsUrl(scope: Scope): Promise<string | undefined> {
  if (natsBinary() === undefined) return undefined;
  const nats = await startNats({ fresh: true });
  scope.defer(() => nats.stop());
  return nats.url;
}
