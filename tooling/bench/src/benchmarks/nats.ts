import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@grove/client";
import { Line } from "@grove/testing/line";
import { type NatsServer, startNats } from "@grove/testing/nats";
import type { Benchmark, Context, Row } from "../benchmark";
import { type Grove, registerDevice, signUpTo, startAgent, startApi } from "../grove";
import { send } from "../http";
import { startDurablePostgres } from "../postgres";
import { groveCommand } from "./command";

const INSTANCES = 3;
const SOUND_MS = 25_000;
const FROZEN_MS = 30_000;
const AWAY_MS = 5_000;
/** PostgreSQL carries everything for so long after the last process has NATS back. */
const BACK_MS = 6_000;
const METRICS_TOKEN = "a token of the benchmark";
const CHANNELS = ["device_wake", "command_changed"];

interface World {
  groves: Grove[];
  /** Each instance's way to NATS. */
  lines: Line[];
  /** Each instance's device. */
  devices: string[];
  nats: NatsServer;
}

/** Three API processes on one database, each with its own line to one NATS and with a device of its own. */
async function startWorld({ scope, flushMs }: Context): Promise<World> {
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const nats = await startNats({ fresh: true });
  scope.defer(() => nats.stop());
  const lines: Line[] = [];
  const apis: { url: string; pid: number }[] = [];
  for (let n = 0; n < INSTANCES; n++) {
    const line = await Line.to(Number(new URL(nats.url).port));
    scope.defer(() => line.end());
    const through = new URL(nats.url);
    through.port = `${line.port}`;
    lines.push(line);
    apis.push(await startApi(scope, databaseUrl, { NATS_URL: through.href, METRICS_TOKEN }));
  }
  const [first] = apis;
  if (!first) throw new Error("There is no API.");
  const signedUp = await signUpTo(first);
  const groves = apis.map((api) => ({
    ...signedUp,
    ...api,
    client: createClient({ apiUrl: api.url, token: signedUp.apiKey }),
  }));
  const devices: string[] = [];
  for (const grove of groves) devices.push((await startAgent(scope, grove)).id);
  return { groves, lines, devices, nats };
}

interface Figures {
  commands: number;
  /** Commands that did not succeed. */
  failed: number;
  /** The longest time of a command, in milliseconds. */
  longest: number;
  /** The longest time from a revocation until another instance ended the key's waiting call. */
  revoked: number;
}

/** Sends commands from each instance to the devices of the others, and revokes keys, until `during` ends. */
async function load(world: World, during: () => Promise<unknown>): Promise<Figures> {
  const figures: Figures = { commands: 0, failed: 0, longest: 0, revoked: 0 };
  let isOver = false;
  const lane = async (from: Grove, deviceId: string) => {
    const call = groveCommand(from, deviceId);
    while (!isOver) {
      const began = performance.now();
      await call().catch(() => {
        figures.failed++;
      });
      figures.commands++;
      figures.longest = Math.max(figures.longest, performance.now() - began);
      await sleep(20);
    }
  };
  const revoking = async () => {
    const [first, second] = world.groves;
    if (!first || !second) return;
    const { id: asleep } = await registerDevice(first, "asleep");
    while (!isOver) {
      figures.revoked = Math.max(figures.revoked, await revoke(first, second, asleep));
      await sleep(500);
    }
  };
  const lanes = world.groves.flatMap((from, at) =>
    world.devices.filter((_, of) => of !== at).map((device) => lane(from, device)),
  );
  const all = [...lanes, revoking()];
  await during();
  isOver = true;
  await Promise.all(all);
  return figures;
}

/** The time from the answer to a revocation until the key's waiting call has ended on the other instance. */
async function revoke(first: Grove, second: Grove, deviceId: string): Promise<number> {
  const { organizationId } = first;
  const session = createClient({ apiUrl: first.url, token: first.sessionToken });
  const { id, key, createdAt } = await session.apiKey.create.mutate({
    organizationId,
    name: "short",
    scopes: ["read", "write"],
  });
  const body = { organizationId, deviceId, tool: "list_projects", params: {}, ifOffline: "queue" };
  const waiting = send(`${second.url}/api/trpc/agent.execute`, {
    headers: { authorization: `Bearer ${key}` },
    body: { ...body, waitMs: 55_000, cancelOnDisconnect: true },
  }).then(
    () => performance.now(),
    () => performance.now(),
  );
  // The call has begun to wait once its command is there.
  const isThere = async () => {
    const [newest] = await session.agent.listCommands.query({ organizationId, deviceId, limit: 1 });
    return newest !== undefined && newest.createdAt >= createdAt;
  };
  while (!(await isThere())) await sleep(20);
  await session.apiKey.revoke.mutate({ organizationId, id });
  const began = performance.now();
  return Math.max(0, (await waiting) - began);
}

/** The sum of a metric over all instances. */
async function sum({ groves }: World, pattern: RegExp): Promise<number> {
  let total = 0;
  for (const { url } of groves) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    for (const line of (await answer.text()).split("\n"))
      if (pattern.test(line)) total += Number(line.slice(line.lastIndexOf(" ")));
  }
  return total;
}
const announced = (what: "heard" | "sent") =>
  new RegExp(`^grove_announcements_${what}_total{channel="(${CHANNELS.join("|")})"}`);

export const nats: Benchmark = {
  name: "nats",
  summary: "commands over three API processes while NATS is killed, frozen, or cut off from one of them",
  async run(context) {
    const { progress } = context;
    progress("starting PostgreSQL, NATS, three API processes and their devices");
    const world = await startWorld(context);
    const rows: Row[] = [];
    const measure = async (what: string, during: () => Promise<unknown>) => {
      progress(what);
      const figures = await load(world, during);
      rows.push(
        { measure: `${what}: commands`, grove: figures.commands },
        { measure: "  that did not succeed", grove: figures.failed, aim: { of: "grove", atMost: 0 } },
        { measure: "  longest, ms", grove: figures.longest, aim: { of: "grove", atMost: 5_000 } },
        { measure: "  longest revocation, ms", grove: figures.revoked, aim: { of: "grove", atMost: 100 } },
      );
    };
    await sleep(BACK_MS);
    const before = [await sum(world, announced("heard")), await sum(world, announced("sent"))] as const;
    await measure("without faults", () => sleep(SOUND_MS));
    const heard = (await sum(world, announced("heard"))) - before[0];
    const sent = (await sum(world, announced("sent"))) - before[1];
    // A process hears its own announcements too.
    rows.push(
      {
        measure: "  deliveries to others, an announcement",
        grove: (heard - sent) / sent,
        aim: { of: "grove", atMost: 1 },
      },
      {
        measure: "  found by a fallback poll",
        grove: await sum(world, /^grove_safety_read_found_total/),
        aim: { of: "grove", atMost: 0 },
      },
    );
    const { pid = 0 } = world.nats;
    await measure("killed, and back after 5 s", async () => {
      await sleep(1_000);
      process.kill(pid, "SIGKILL");
      await sleep(AWAY_MS);
      await world.nats.restart();
      await sleep(BACK_MS);
    });
    await measure("frozen for 30 s", async () => {
      const frozen = world.nats.pid ?? 0;
      process.kill(frozen, "SIGSTOP");
      await sleep(FROZEN_MS);
      process.kill(frozen, "SIGCONT");
      await sleep(BACK_MS);
    });
    await measure("silently cut off from one", async () => {
      const [, line] = world.lines;
      line?.stall();
      await sleep(2 * AWAY_MS);
      line?.cut();
      line?.open();
      await sleep(BACK_MS);
    });
    return {
      title: `agent.execute of list_projects between ${INSTANCES} API processes on one PostgreSQL and one NATS (${world.nats.source})`,
      rows,
      notes: ["Six callers, each with one command at a time; a key is revoked every half second."],
    };
  },
};
