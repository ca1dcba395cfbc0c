import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@grove/testing/postgres";
import { pick, type Random, seeded } from "@grove/testing/random";
import { createMachine } from "../support/machine";
import { type Scene, storm } from "./storm";
import { type Asked, askTogether, askUntilSettled, askWithoutKey, newRequest } from "./world/caller";
import { check } from "./world/check";
import { type Cloud, startCloud } from "./world/cloud";
import { DeviceMachine, type Project } from "./world/device";
import { keepLogs } from "./world/keepLogs";
import { checkTyped, configureLogger, typedLines, typeLines } from "./world/typing";

/** The number of commands, unless `--commands` is given. */
export const DEFAULT_COMMANDS = 2_000;

export interface SoakOptions {
  /** Determines the commands, the faults and their order; the machine determines the times. */
  seed: number;
  commands: number;
  devices?: number;
  instances?: number;
  /** Commands in flight for each device. */
  inFlight?: number;
  /** Whether some commands may wait in the queue for only a second. */
  expiring?: boolean;
  /** Faults that are excluded. */
  without?: readonly string[];
  /** How many faults happen at most, so that the time that a slow machine needs is bounded. */
  maxFaults?: number;
  progress?(message: string): void;
}

export interface SoakReport {
  /** One line per problem. */
  wrong: string[];
  /** How many commands ended in each state, or were refused. */
  ends: Record<string, number>;
  /** How often each fault struck. */
  faults: Record<string, number>;
  /** The number of lines that were typed into agents. */
  typed: number;
  seconds: number;
  /** The directory with the programs' logs, if something is wrong. */
  logs?: string;
}

/**
 * Short times, so that the sweeper works between and during faults. As usual, `beginMs` is longer than a lease of
 * presence: a suspended device must not count as present and not beginning.
 */
const SWEEPER = { everyMs: 1_000, graceMs: 6_000, reportMs: 5_000, beginMs: 50_000 };

/** Commands per round. git slows down as worktrees collect in a repository, so each round has new repositories. */
const ROUND = 120;

/** Runs commands in a storm of faults, then checks the disk. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const {
    seed,
    commands,
    devices: deviceCount = 2,
    instances = 2,
    inFlight = 6,
    expiring = true,
    without = [],
    maxFaults = Number.POSITIVE_INFINITY,
    progress = () => {},
  } = options;
  const random = seeded(seed);
  const began = performance.now();
  const machine = await createMachine();
  const postgres = await startPostgres({
    fresh: true,
    settings: { wal_level: "replica", max_wal_senders: "2" },
  });
  const report: SoakReport = { wrong: [], ends: {}, faults: {}, typed: 0, seconds: 0 };
  let isOver = false;
  let cloud: Cloud | undefined;
  const devices: DeviceMachine[] = [];
  try {
    cloud = await startCloud(postgres.url, machine, instances, SWEEPER);
    for (let n = 0; n < deviceCount; n++) {
      const instance = cloud.instances[n % instances];
      const device = await DeviceMachine.register(cloud, machine, `device ${n}`, instance && { instance });
      devices.push(device);
      await configureLogger(device);
      await device.connect();
    }
    const scene = { cloud, devices, postgres };
    for (let done = 0, round = 0; done < commands; round++) {
      const count = Math.min(ROUND * deviceCount, commands - done);
      await runRound(scene, { round, count, inFlight, expiring, without, maxFaults }, random, report);
      done += count;
      const struck = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
      progress(`${done} of ${commands} commands, ${struck} faults, ${report.wrong.length} wrong`);
      if (report.wrong.length > 0) break;
    }
    for (const program of [...cloud.instances, ...devices])
      if (program.output.includes('"Internal error') || /"level":(60|"fatal")/.test(program.output))
        report.wrong.push(`a program says: ${program.output.slice(-2_000)}`);
    isOver = true;
  } finally {
    if (!isOver || report.wrong.length > 0) {
      report.logs = await keepLogs({ api: cloud?.instances ?? [], device: devices });
      progress(`The logs are in ${report.logs}.`);
    }
    for (const device of devices) {
      await device.kill();
      await device.line.end();
    }
    await cloud?.end();
    await postgres.stop();
    await machine.remove();
  }
  return { ...report, seconds: (performance.now() - began) / 1_000 };
}

async function runRound(
  scene: Scene,
  {
    round,
    count,
    inFlight,
    expiring,
    ...limits
  }: {
    round: number;
    count: number;
    inFlight: number;
    expiring: boolean;
    without: readonly string[];
    maxFaults: number;
  },
  random: Random,
  report: SoakReport,
): Promise<void> {
  const { cloud, devices } = scene;
  const asked: Asked[] = [];
  const lanes: Promise<void>[] = [];
  const finished = new AbortController();
  const projects: Project[] = [];
  for (const [index, device] of devices.entries())
    projects.push(await device.addWork(`work ${round}-${index}`, Math.ceil(count / devices.length)));
  const typed: Project[] = [];
  for (const [index, device] of devices.entries())
    typed.push(await device.addWork(`typing ${round}-${index}`, 1));
  const typing = typed.map((project) => typeLines(cloud, project, round, finished.signal));
  const storming = storm(scene, random, finished.signal, limits, (fault) => {
    report.faults[fault] = (report.faults[fault] ?? 0) + 1;
  });
  for (let n = 0; n < count; n++) {
    const project = projects[n % projects.length];
    if (project) asked.push(newRequest(project, Math.floor(n / projects.length)));
  }
  const waiting = [...asked];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // The storm ends before the last commands are answered: the sweeper gives nothing up soon after a fault.
      if (waiting.length === 0) finished.abort();
      const { n } = next;
      await one(cloud, next, { random, expiring }).catch((error) =>
        report.wrong.push(`the caller of work ${n} failed: ${error}`),
      );
    }
  };
  for (let n = 0; n < inFlight * devices.length; n++) lanes.push(lane());
  try {
    await Promise.all([...lanes, ...typing, storming]);
  } finally {
    finished.abort();
    await Promise.allSettled([storming, ...typing]);
  }
  for (const { answer, refusal } of asked) {
    const end =
      refusal ?? ([answer?.status, answer?.error?.reason].filter((word) => word).join(" ") || "unanswered");
    report.ends[end] = (report.ends[end] ?? 0) + 1;
  }
  report.wrong.push(...(await check(cloud, asked)), ...(await checkTyped(devices)));
  report.typed = await typedLines(devices);
}

/**
 * Acts as a random kind of caller: one that waits, has a short time limit, cancels, gives up if the device is offline,
 * tries only once, disconnects, or shares its key with another.
 */
async function one(
  cloud: Cloud,
  asked: Asked,
  { random, expiring }: { random: Random; expiring: boolean },
): Promise<void> {
  const clients = () => cloud.client(cloud.instances[Math.floor(random() * cloud.instances.length)]);
  const how = pick(random, [
    [7, "patient"],
    [1, "hurried"],
    [2, "canceling"],
    [1, "failing"],
    [1, "without a key"],
    [1, "hanging up"],
    [1, "two"],
  ] as const);
  if (how === "hurried")
    await askUntilSettled(
      cloud,
      asked,
      { timeoutMs: 1_000, ...(expiring && { queueTtlMs: 1_000 }) },
      clients,
    );
  else if (how === "without a key") await askWithoutKey(cloud, asked, clients());
  else if (how === "hanging up") await askWithoutKey(cloud, asked, clients(), Math.ceil(random() * 3_000));
  else if (how === "two") await askTogether(cloud, asked, clients);
  else if (how === "failing") await askUntilSettled(cloud, asked, { ifOffline: "fail" }, clients);
  else if (how === "canceling") {
    const settled = askUntilSettled(cloud, asked, { waitMs: 0 }, clients);
    await cancelSoon(cloud, asked, random);
    await settled;
  } else await askUntilSettled(cloud, asked, {}, clients);
}

async function cancelSoon(cloud: Cloud, asked: Asked, random: Random): Promise<void> {
  await sleep(random() * 1_500);
  const { organizationId } = cloud;
  const { commandId: id } = asked;
  if (id !== undefined)
    await cloud
      .client()
      .agent.cancelCommand.mutate({ organizationId, id })
      .catch(() => undefined);
}
