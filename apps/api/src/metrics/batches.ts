import type { Measure } from "@grove/db";
import { span } from "@grove/tracing";
import type { Metrics } from "./metrics";

/**
 * Measures and traces the statements of a batch. A statement belongs to the trace of its first recorded item, and
 * links to the others.
 */
export function measureBatch<Item extends object>(
  name: "submit" | "complete" | "events" | "chunks",
  metrics: Metrics | undefined,
): Measure<Item> {
  const count = metrics?.batches(name);
  return (items, run) => {
    count?.(items.length);
    const traces = items.flatMap((item: Traced) => item.trace_parent ?? []);
    const parent = traces.find(isRecorded) ?? traces[0];
    if (parent === undefined) return run();
    const links = traces.filter((trace) => trace !== parent);
    const attributes = { "grove.items": items.length };
    return span(`statement ${name}`, { parent, links, kind: "client", attributes }, run);
  };
}

interface Traced {
  trace_parent?: string | null | undefined;
}

const isRecorded = (traceparent: string) => traceparent.endsWith("1");
