import type { GroveDatabase, SettledCommand } from "@grove/db";
import { type CommandStatus, openStatuses } from "@grove/schemas";
import { sql } from "kysely";
import { isOnline } from "../devices/presence";

/** The measurements of this process. */
export interface Metrics {
  /** Counts an answered procedure; `code` is the tRPC error's, or OK. */
  answered(procedure: string, code: string, seconds: number): void;
  /** Counts a subscription as open; returns a function to call when it has ended. */
  opened(procedure: string): () => void;
  /** Counts commands that ended in this process, with the seconds that each took from its submission. */
  settled(status: CommandStatus, seconds: readonly number[]): void;
  readonly contentType: string;
  /** All measurements, in Prometheus' text format. */
  text(): Promise<string>;
}

/** For calls that read a row, up to those that wait for a device. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** For commands, up to the longest that one may take. */
const COMMAND_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];

/** Counts commands that ended without a report from their device. Call it after their commit. */
export function countSettled(
  { metrics }: { metrics?: Metrics | undefined },
  settled: readonly SettledCommand[] = [],
): void {
  for (const { status, seconds } of settled) metrics?.settled(status, [seconds]);
}

/** Begins to measure. Only this loads the library, so that it costs nothing without metrics. */
export async function createMetrics(database: GroveDatabase): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

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
  new Gauge({
    name: "grove_commands_open",
    help: "Commands that are open in the database, by state; the same on every process.",
    labelNames: ["status"],
    registers,
    async collect() {
      const counts = await openCommands(database);
      for (const status of openStatuses) this.set({ status }, counts.get(status) ?? 0);
    },
  });
  new Gauge({
    name: "grove_devices_online",
    help: "Devices that are online, by the database; the same on every process.",
    registers,
    async collect() {
      this.set(await devicesOnline(database));
    },
  });
  new Gauge({
    name: "grove_database_connections",
    help: "Connections of this process's pools, and callers that wait for one; none for the embedded database.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, counts] of Object.entries(database.connections()))
        for (const [state, count] of Object.entries(counts)) this.set({ pool, state }, count);
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
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

async function openCommands({ db }: GroveDatabase): Promise<Map<CommandStatus, number>> {
  const rows = await db
    .selectFrom("device_commands")
    .select(["status", sql<number>`count(*)::integer`.as("count")])
    .where("status", "in", [...openStatuses])
    .groupBy("status")
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

async function devicesOnline({ db }: GroveDatabase): Promise<number> {
  const { count } = await db
    .selectFrom("devices")
    .select(sql<number>`count(*)::integer`.as("count"))
    .where(isOnline)
    .executeTakeFirstOrThrow();
  return count;
}
