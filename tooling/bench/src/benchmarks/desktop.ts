import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, presentChromiums, startChromium } from "@grove/testing/chromium";
import type { Benchmark, Row } from "../benchmark";
import { devtoolsDriver } from "../desktop/devtools";
import { groveDriver } from "../desktop/grove";
import {
  type Driver,
  FRAME_MS,
  nothingDone,
  type OperationName,
  operationNames,
  operations,
} from "../desktop/operations";
import { effectsOn, evaluated, forgetEffects, servePage } from "../desktop/page";
import { playwrightDriver } from "../desktop/playwright";
import { rawDriver } from "../desktop/raw";
import { openRawPage, type RawPage } from "../floors/cdp";
import { startMcpServer } from "../mcp";
import { peers } from "../peers";
import { builtProgram } from "../programs";
import { Scope } from "../scope";
import { median } from "../stats";

const ROUNDS = 20;

const others = ["@playwright/mcp", "its settle at 0", "chrome-devtools-mcp"] as const;
const programs = ["floor", "grove", ...others] as const;
type Program = (typeof programs)[number];

interface Sample {
  ms: number;
  bytes: number;
}
type Round = Record<Program, Sample>;

async function startDrivers(
  scope: Scope,
  page: RawPage,
  browserUrl: string,
  url: string,
): Promise<Record<Program, Driver>> {
  const grove = await startMcpServer(scope, [builtProgram("mcp-desktop")], {
    CDP_URL: browserUrl,
    LOG_LEVEL: "error",
  });
  const playwright = [...peers["@playwright/mcp"], "--cdp-endpoint", browserUrl];
  const devtools = [...peers["chrome-devtools-mcp"], "--browser-url", browserUrl];
  return {
    floor: rawDriver(page, url),
    grove: groveDriver(grove, url),
    "@playwright/mcp": playwrightDriver(await startMcpServer(scope, playwright), url),
    "its settle at 0": playwrightDriver(
      await startMcpServer(scope, [...playwright, "--timeout-settle", "0"]),
      url,
    ),
    "chrome-devtools-mcp": devtoolsDriver(await startMcpServer(scope, devtools), url),
  };
}

/**
 * Lets a program notice the others' changes to the page, and wakes it up: after a pause every process, also the floor,
 * takes milliseconds to be scheduled again. One of the peers fails if another program navigates at the same time, so
 * this retries.
 */
async function catchUp(driver: Driver, attempts = 5): Promise<void> {
  try {
    await driver["evaluate 1 + 1"]();
  } catch (error) {
    if (attempts === 1) throw error;
    await catchUp(driver, attempts - 1);
  }
}

/**
 * Lets the browser finish drawing, which takes some frames after an operation. Otherwise only a program that ends each
 * call with a pause would find the browser at rest. The random part of a frame keeps starts independent of the frames.
 */
const atRest = () => sleep(100 + Math.random() * FRAME_MS);

/** @throws {Error} if the page was not changed as the operation should change it */
async function measure(
  page: RawPage,
  program: Program,
  driver: Driver,
  name: OperationName,
): Promise<Sample> {
  await forgetEffects(page);
  await atRest();
  await catchUp(driver);
  const began = performance.now();
  const bytes = await driver[name]();
  const ms = performance.now() - began;
  const wanted = JSON.stringify({ ...nothingDone, ...operations[name].effects });
  const effects = JSON.stringify(await effectsOn(page));
  if (effects !== wanted) throw new Error(`${program}, ${name}: the page reports ${effects}, not ${wanted}.`);
  return { ms, bytes };
}

export const desktop: Benchmark = {
  name: "desktop",
  summary: "mcp-desktop and its peers: each operation on a page of 661 elements, in each installed browser",
  async run({ scope, rounds = ROUNDS, progress }) {
    const times: Row[] = [];
    const sizes: Row[] = [];
    const agents: string[] = [];
    const kinds = presentChromiums();
    if (kinds.length === 0)
      throw new Error("No Chromium is installed. Install one, or set CHROMIUM_PATH to its program.");
    for (const kind of kinds) {
      // One browser at a time, since two would compete for the cores.
      const roundScope = new Scope();
      scope.defer(() => roundScope.close());
      try {
        const { agent, ...rows } = await measureIn(roundScope, kind, rounds, progress);
        times.push(...rows.times);
        sizes.push(...rows.sizes);
        agents.push(`${kind}: ${agent}`);
      } finally {
        await roundScope.close();
      }
    }
    return {
      title: "mcp-desktop, with all its waiting and checking, and its peers; floor: raw CDP without any",
      rows: [...times, ...sizes],
      notes: [
        `Medians of ${rounds} rounds in turns, of the screenshot three times as many; the same page and browser, all servers connected to it.`,
        `Browsers: ${agents.join("; ")}.`,
        "Bytes are those of the tools' results, of both calls where the peers need a snapshot before a click.",
      ],
    };
  },
};

async function measureIn(scope: Scope, kind: Kind, rounds: number, progress: (message: string) => void) {
  const browser = await startChromium({ kind });
  scope.defer(() => browser.stop());
  const url = await servePage(scope);
  const page = await openRawPage(scope, browser.url);
  const drivers = await startDrivers(scope, page, browser.url, url);
  await drivers.floor["navigate, loaded"]();
  const times: Row[] = [];
  const sizes: Row[] = [];
  for (const name of operationNames) {
    progress(`${kind}: ${name}`);
    const measured: Round[] = [];
    const count = rounds * (operations[name].rounds ?? 1);
    for (let round = 0; round <= count; round++) {
      const samples = {} as Round;
      for (const program of programs) samples[program] = await measure(page, program, drivers[program], name);
      // The first round connects and prepares the document, so it does not count.
      if (round > 0) measured.push(samples);
    }
    times.push(timesOf(kind, name, measured));
    sizes.push(sizesOf(kind, name, measured));
  }
  return { times, sizes, agent: String(await evaluated(page, "navigator.userAgent")) };
}

function timesOf(kind: Kind, name: OperationName, rounds: readonly Round[]): Row {
  const of = (program: Program) => median(rounds.map((round) => round[program].ms));
  const aim = operations[name].aim(of("floor"), Math.min(...others.map(of)));
  return {
    measure: `${kind}: ${name}, ms`,
    floor: of("floor"),
    grove: of("grove"),
    ratio: median(rounds.map(({ floor, grove }) => grove.ms / floor.ms)),
    others: Object.fromEntries(others.map((program) => [program, of(program)])),
    ...(aim && { aim }),
  };
}

function sizesOf(kind: Kind, name: OperationName, rounds: readonly Round[]): Row {
  const of = (program: Program) => median(rounds.map((round) => round[program].bytes));
  return {
    measure: `${kind}: ${name}, bytes`,
    grove: of("grove"),
    others: Object.fromEntries(others.map((program) => [program, of(program)])),
    ...(name === "snapshot of all" && { aim: { of: "grove", atMost: 10_000 } }),
  };
}
