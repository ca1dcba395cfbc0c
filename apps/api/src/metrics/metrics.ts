import type { GroveDatabase, SettledCommand } from "@grove/db";
import type { CommandStatus } from "@grove/schemas";
import type { Lease } from "../instance/lease";
import { measureDatabase } from "./database";
import { measureLinks } from "./links";

/** The measurements of this process. */
export interface Metrics {
  /** Counts an answered procedure; `code` is the tRPC error's, or OK. */
  answered(procedure: string, code: string, seconds: number): void;
  /** Counts a subscription as open; returns a function to call when it has ended. */
  opened(procedure: string): () => void;
  /** Counts commands that ended in this process, with the seconds that each took from its submission. */
  settled(status: CommandStatus, seconds: readonly number[]): void;
  /** Counts a command that was given to its device's stream, and the seconds since it was claimed for that. */
  woken(by: "process" | "announcement", seconds: number): void;
  /** Counts what only a fallback poll has found: its announcement was lost. */
  found(what: "queued" | "claimed" | "end" | "event"): void;
  /** Returns a function that counts the items of each of these batches. */
  batches(of: "submit" | "complete" | "events" | "chunks"): (items: number) => void;
  /** Counts a connection that was closed when it came. */
  refused(limit: "instance" | "network"): void;
  /** Counts output of agents that was stored. */
  sessionOutput(bytes: number): void;
  /** Notes that the sweeper has ended a round. */
  swept(): void;
  readonly contentType: string;
  /** All measurements, in Prometheus' text format. */
  text(): Promise<string>;
}

/** For calls that read a row, up to those that wait for a device. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** For commands, up to the longest that one may take. */
const COMMAND_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];
/** For wake-ups, up to a fallback poll. */
const WAKE_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 20];
/** Up to the most items of any batch. */
const ITEMS = [1, 2, 4, 8, 16, 32, 64, 100];

/** Counts commands that ended without a report from their device. Call it after their commit. */
export function countSettled(
  { metrics }: { metrics?: Metrics | undefined },
  settled: readonly SettledCommand[] = [],
): void {
  for (const { status, seconds } of settled) metrics?.settled(status, [seconds]);
}

/** Begins to measure. Only this loads the library, so that it costs nothing without metrics. */
export async function createMetrics(database: GroveDatabase, lease: Lease): Promise<Metrics> {
  const prom = await import("prom-client");
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = prom;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const readDatabase = measureDatabase(prom, registry, database, lease);
  measureLinks(prom, registry, database);

  const answers = new Histogram({
    name: "grove_procedure_seconds",
    help: "How long procedures took, by their code (OK or an error's).",
    labelNames: ["procedure", "code"],
    buckets: SECONDS,
    registers,
  });
  const streams = new Gauge({
    name: "grove_streams_open",
    help: "Subscriptions that are open on this process.",
    labelNames: ["procedure"],
    registers,
  });
  const commands = new Histogram({
    name: "grove_command_seconds",
    help: "Commands to devices from submit to end, of those that ended through this process, by how they ended.",
    labelNames: ["status"],
    buckets: COMMAND_SECONDS,
    registers,
  });
  const wakes = new Histogram({
    name: "grove_wake_seconds",
    help: "From a command's claim until its device's stream has it: claimed by this process (from the commit), or announced by another (by the database's clock).",
    labelNames: ["by"],
    buckets: WAKE_SECONDS,
    registers,
  });
  const found = new Counter({
    name: "grove_safety_read_found_total",
    help: "What only a fallback poll has found; each is a lost announcement. 0 without faults.",
    labelNames: ["what"],
    registers,
  });
  for (const what of ["queued", "claimed", "end", "event"]) found.inc({ what }, 0);
  const batches = new Histogram({
    name: "grove_batch_items",
    help: "How many items the batched statements took.",
    labelNames: ["of"],
    buckets: ITEMS,
    registers,
  });
  const refused = new Counter({
    name: "grove_connections_refused_total",
    help: "Connections that were closed when they came, by the limit that was reached.",
    labelNames: ["limit"],
    registers,
  });
  for (const limit of ["instance", "network"]) refused.inc({ limit }, 0);
  const output = new Counter({
    name: "grove_session_output_bytes_total",
    help: "Output of agent sessions that was stored through this process.",
    registers,
  });
  let swept = performance.now();
  new Gauge({
    name: "grove_sweeper_lag_seconds",
    help: "Seconds since this process's sweeper last ended a round without an error; about 10 when all is well.",
    registers,
    collect() {
      this.set((performance.now() - swept) / 1_000);
    },
  });

  return {
    answered: (procedure, code, seconds) => answers.observe({ procedure, code }, seconds),
    opened: (procedure) => {
      streams.inc({ procedure });
      return () => streams.dec({ procedure });
    },
    settled: (status, seconds) => {
      for (const each of seconds) commands.observe({ status }, each);
    },
    woken: (by, seconds) => wakes.observe({ by }, seconds),
    found: (what) => found.inc({ what }),
    batches: (of) => {
      const labeled = batches.labels({ of });
      return (items) => labeled.observe(items);
    },
    refused: (limit) => refused.inc({ limit }),
    sessionOutput: (bytes) => output.inc(bytes),
    swept: () => {
      swept = performance.now();
    },
    contentType: registry.contentType,
    text: async () => {
      await readDatabase();
      return registry.metrics();
    },
  };
}
