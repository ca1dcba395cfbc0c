import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../benchmark";
import { connectFleet } from "../fleets";
import type { Scope } from "../scope";
import { commandCosts } from "./commands";
import { startInstances } from "./instances";
import { type Lost, lose, othersSuffice } from "./lose";
import { readings, spaceOfCommand, spent } from "./readings";

/** Every device has been asked for a heartbeat within this time, and is then idle. */
const SETTLE_MS = 20_000;
export const IDLE_MS = 60_000;

export interface Point {
  devices: number;
  instances: number;
}

/** The costs of a device or a command. Commands are routed by their device. */
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

/** Figures that are not costs, or have no cost at the first point. */
type Facts = Record<string, number>;

/** Connects the devices, leaves them idle, sends them commands, and stops and kills instances. */
export async function measurePoint(
  { progress }: Context,
  scope: Scope,
  point: Point,
  flushMs: number,
): Promise<{ costs: Costs; facts: Facts }> {
  const { devices } = point;
  const say = (what: string) => progress(`${devices} devices on ${point.instances}: ${what}`);
  say("starting");
  const instances = await startInstances(scope, point.instances, flushMs);
  const { databaseUrl, grove, urls, pids } = instances;
  const empty = instances.memory();

  say("connecting");
  const began = performance.now();
  const unconnected = await readings(databaseUrl, pids);
  const { ids, back } = await connectFleet(scope, grove, databaseUrl, devices, [...urls]);
  const connectedS = (performance.now() - began) / 1_000;
  const connecting = spent(unconnected, await readings(databaseUrl, pids));
  await instances.analyze();
  await sleep(SETTLE_MS);
  say("idle");
  const full = instances.memory();
  const before = await readings(databaseUrl, pids);
  await sleep(IDLE_MS);
  const idle = spent(before, await readings(databaseUrl, pids));

  say("commands");
  const routed = await commandCosts(instances, ids, "routed");
  const byChance = urls.length > 1 ? await commandCosts(instances, ids, "by chance") : undefined;
  const facts: Facts = {
    "connects a second": devices / connectedS,
    "  API, ms of the processor a connect, with its heartbeats until all are in": connecting.api / devices,
    "commands/s": routed.perSecond,
    "  p99 ms": routed.p99,
    "  announcements a command": routed.announcements,
    "  disk, bytes a command": await spaceOfCommand(databaseUrl),
    ...(byChance && {
      "by chance: announcements a command": byChance.announcements,
      "  deliveries an announcement": byChance.deliveries,
      "  API, ms of the processor a command": byChance.api,
      "  PostgreSQL, ms of the processor a command": byChance.postgres,
      "  waits for a lock of the whole server, of 1 000 looks": byChance.waits,
    }),
  };
  if (othersSuffice(devices, urls.length)) {
    say("an instance is stopped");
    Object.assign(facts, factsOf("stopped", await lose(instances, urls.length - 1, "stopped", ids, back)));
    if (urls.length > 2) {
      say("an instance is killed");
      Object.assign(facts, factsOf("killed", await lose(instances, urls.length - 2, "killed", ids, back)));
    }
  }

  const minutes = (devices * IDLE_MS) / 60_000;
  return {
    costs: {
      "API, ms of the processor a device-minute": idle.api / minutes,
      "PostgreSQL, ms of the processor a device-minute": idle.postgres / minutes,
      "transactions a device-minute": idle.transactions / minutes,
      "WAL, bytes a device-minute": idle.wal / minutes,
      "memory of the API, KiB a stream": ((full - empty) * 1_024) / devices,
      "API, ms of the processor a command": routed.api,
      "PostgreSQL, ms of the processor a command": routed.postgres,
      "WAL, bytes a command": routed.wal,
    },
    facts,
  };
}

const factsOf = (how: string, { backAfterS, maxOffline, p99 }: Lost): Facts => ({
  [`an instance ${how}: its devices are online elsewhere after, s`]: backAfterS,
  [`an instance ${how}: most devices that were shown offline at a time`]: maxOffline,
  [`an instance ${how}: p99 of the others' commands, × before`]: p99,
});
