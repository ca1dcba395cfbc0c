import type { Registry } from "prom-client";

/** For calls that read a row, up to those that wait for a device. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** For commands, up to the longest that one may take. */
const COMMAND_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];
/** For wake-ups, up to a fallback poll. */
const WAKE_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 20];
/** Up to the most items of any batch. */
const ITEMS = [1, 2, 4, 8, 16, 32, 64, 100];

/** The instruments of this process that its own code counts with. */
export function createInstruments(
  { Counter, Gauge, Histogram }: typeof import("prom-client"),
  registry: Registry,
) {
  const registers = [registry];
  const answers = new Histogram({
    name: "grove_procedure_seconds",
    help: "Duration of procedures in seconds, by result code (OK or an error code).",
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
    help: "Time from the submission of a command to its end, by outcome; only commands that ended through this process.",
    labelNames: ["status"],
    buckets: COMMAND_SECONDS,
    registers,
  });
  const wakes = new Histogram({
    name: "grove_wake_seconds",
    help: "Time from a command's claim until its device's stream has it: since the commit if this process claimed it, by the database's clock if another process did.",
    labelNames: ["by"],
    buckets: WAKE_SECONDS,
    registers,
  });
  const found = new Counter({
    name: "grove_fallback_poll_found_total",
    help: "Items that only a fallback poll has found; each is a lost announcement. 0 without faults.",
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
    help: "Connections that were refused on arrival, by the limit that they exceeded.",
    labelNames: ["limit"],
    registers,
  });
  for (const limit of ["instance", "network"]) refused.inc({ limit }, 0);
  const output = new Counter({
    name: "grove_session_output_bytes_total",
    help: "Output of agent sessions that was stored through this process.",
    registers,
  });
  return { answers, streams, commands, wakes, found, batches, refused, output };
}
