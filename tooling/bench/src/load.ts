import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "./stats";
import { processorTimeOf } from "./usage";

/** The measured call. It rejects unless it did what it should. */
export type Call = () => Promise<unknown>;

interface Sample {
  /** The milliseconds of each call. */
  times: number[];
  perSecond: number;
}

/** Keeps `inFlight` calls in flight for `ms` or until `calls` are done, and waits for the last ones. */
export async function load(call: Call, inFlight: number, ms: number, calls = Infinity): Promise<Sample> {
  const times: number[] = [];
  const began = performance.now();
  const caller = async () => {
    for (let now = performance.now(); now - began < ms && times.length < calls; ) {
      await call();
      const then = now;
      now = performance.now();
      times.push(now - then);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return { times, perSecond: (times.length / (performance.now() - began)) * 1_000 };
}

/** Makes `perSecond` calls a second for `ms`, however many are still in flight, up to `maxOpen`. */
export async function offer(
  call: Call,
  { perSecond, ms, maxOpen, onTick }: Offer,
): Promise<{ open: number; leftOut: number }> {
  let [open, due, leftOut] = [0, 0, 0];
  const began = performance.now();
  for (let last = began; last - began < ms; ) {
    await sleep(TICK_MS);
    const now = performance.now();
    due += (perSecond * (now - last)) / 1_000;
    last = now;
    for (; due >= 1; due--) {
      if (open >= maxOpen) leftOut++;
      else {
        open++;
        void call().finally(() => open--);
      }
    }
    onTick(now - began);
  }
  return { open, leftOut };
}

const TICK_MS = 10;

interface Offer {
  perSecond: number;
  ms: number;
  /** The most calls in flight: with more, the generator would measure itself. The others are left out. */
  maxOpen: number;
  onTick(sinceMs: number): void;
}

/** One side of a comparison. */
export interface Subject {
  call: Call;
  /** The server's process, whose processor time is read. */
  pid: number;
  /** The process of the device, if there is one. */
  devicePid?: number;
}

interface Figures {
  p50: number;
  p99: number;
  perSecond: number;
  /** Processor time of the server's process per call, in milliseconds; NaN without /proc. */
  cpu: number;
  /** Processor time of the device's process per call, in milliseconds; NaN without /proc. */
  deviceCpu: number;
}

export interface Comparison {
  floor: Figures;
  grove: Figures;
  /** Grove as a multiple of the floor: the medians of the rounds' ratios. */
  ratio: Figures;
}

/**
 * Node still interprets code that it has run a few hundred times. A server that is up for a minute runs compiled code.
 */
const WARM_UP_CALLS = 4_000;
const WARM_UP_MS = 15_000;

/** Sends a server enough concurrent calls to warm up the code of both ends. */
export const warmUp = (call: Call): Promise<unknown> => load(call, 64, WARM_UP_MS, WARM_UP_CALLS);

export interface CompareOptions {
  floor: Subject;
  grove: Subject;
  inFlight: number;
  rounds: number;
  /** The time for each side in each round. */
  ms: number;
  progress(round: number): void;
}

/**
 * Measures both sides in turns, so that other load on the machine affects both. Each round has its own ratio. The
 * medians of these are reliable even on a machine whose speed changes between rounds.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { floor, grove, inFlight, rounds, ms, progress } = options;
  const samples: { floor: Figures; grove: Figures }[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(round);
    // The order alternates, so that neither side always runs after the other's garbage.
    const groveFirst = round % 2 === 1 ? await measure(grove, inFlight, ms) : undefined;
    const floorFigures = await measure(floor, inFlight, ms);
    const groveFigures = groveFirst ?? (await measure(grove, inFlight, ms));
    samples.push({ floor: floorFigures, grove: groveFigures });
  }
  const medians = (of: (sample: (typeof samples)[number], figure: keyof Figures) => number): Figures => {
    const medianOf = (figure: keyof Figures) => median(samples.map((sample) => of(sample, figure)));
    return {
      p50: medianOf("p50"),
      p99: medianOf("p99"),
      perSecond: medianOf("perSecond"),
      cpu: medianOf("cpu"),
      deviceCpu: medianOf("deviceCpu"),
    };
  };
  return {
    floor: medians((sample, figure) => sample.floor[figure]),
    grove: medians((sample, figure) => sample.grove[figure]),
    ratio: medians((sample, figure) => sample.grove[figure] / sample.floor[figure]),
  };
}

/** Measures a load with this many calls in flight. */
export async function measure({ call, ...pids }: Subject, inFlight: number, ms: number): Promise<Figures> {
  const processorTimes = () =>
    [pids.pid, pids.devicePid].map((pid) => (pid === undefined ? Number.NaN : processorTimeOf(pid)));
  const before = processorTimes();
  const { times, perSecond } = await load(call, inFlight, ms);
  const [cpu = Number.NaN, deviceCpu = Number.NaN] = processorTimes().map(
    (time, index) => (time - (before[index] ?? 0)) / times.length,
  );
  return { p50: median(times), p99: quantile(times, 0.99), perSecond, cpu, deviceCpu };
}
