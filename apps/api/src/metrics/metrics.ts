import type { GroveDatabase, SettledCommand } from "@grove/db";
import type { Lease } from "../instance/lease";
import { measureDatabase } from "./databaseGauges";
import { createInstruments } from "./instruments";
import { measureLinks } from "./links";

/** The measurements of this process. */
export interface Metrics {
  /** Counts a finished call of a procedure. `code` is the tRPC error's code, or OK. */
  answered(procedure: string, code: string, seconds: number): void;
  /** Counts a subscription as open; returns a function to call when it has ended. */
  opened(procedure: string): () => void;
  /** Counts commands that this process has settled, by the seconds since their submission. Call it after the commit. */
  settled(commands: readonly SettledCommand[]): void;
  /** Counts a command that was sent on its device's stream, with the seconds since its claim. */
  woken(by: "process" | "announcement", seconds: number): void;
  /** Counts an item that only the fallback poll found, because its announcement was lost. */
  found(what: "queued" | "claimed" | "end" | "event"): void;
  /** Returns a function that records the number of items in a batch. */
  batches(of: "submit" | "complete" | "events" | "chunks"): (items: number) => void;
  /** Counts a connection that was refused on arrival. */
  refused(limit: "instance" | "network"): void;
  /** Counts output of agents that was stored. */
  sessionOutput(bytes: number): void;
  /** Notes that the sweeper has ended a round. */
  swept(): void;
  readonly contentType: string;
  /** All measurements, in Prometheus' text format. */
  text(): Promise<string>;
}

/** Begins to measure. Only this loads the library, so that it costs nothing without metrics. */
export async function createMetrics(database: GroveDatabase, lease: Lease): Promise<Metrics> {
  const prom = await import("prom-client");
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  const readDatabase = measureDatabase(prom, registry, database, lease);
  measureLinks(prom, registry, database);

  const { answers, streams, commands, wakes, found, batches, refused, output } = createInstruments(
    prom,
    registry,
  );
  let swept = performance.now();
  new prom.Gauge({
    name: "grove_sweeper_lag_seconds",
    help: "Seconds since this process's sweeper last ended a round without an error; about 10 when all is well.",
    registers: [registry],
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
    settled: (settled) => {
      for (const { status, seconds } of settled) commands.observe({ status }, seconds);
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
