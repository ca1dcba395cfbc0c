import { channels, type GroveDatabase } from "@grove/db";
import type { Registry } from "prom-client";

/** Measures this process's connections to the database, from what packages/db counts. */
export function measureLinks(
  { Counter, Gauge }: typeof import("prom-client"),
  registry: Registry,
  database: GroveDatabase,
): void {
  const registers = [registry];
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
  const waitGauge = (name: string, help: string, what: "count" | "seconds") =>
    new Counter({
      name,
      help,
      labelNames: ["pool"],
      registers,
      collect() {
        this.reset();
        for (const [pool, waited] of Object.entries(database.poolWaits())) this.inc({ pool }, waited[what]);
      },
    });
  waitGauge(
    "grove_pool_waits_total",
    "CallerLimits that found no idle connection in a pool; none for the embedded database.",
    "count",
  );
  waitGauge(
    "grove_pool_wait_seconds_total",
    "Total time that callers waited for a connection; absent for the embedded database.",
    "seconds",
  );

  const counts = () => database.notifier.counts;
  const byChannel = (name: string, help: string, read: () => ReadonlyMap<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: ["channel"],
      registers,
      collect() {
        this.reset();
        for (const channel of channels) this.inc({ channel }, read().get(channel) ?? 0);
      },
    });
  byChannel(
    "grove_announcements_heard_total",
    "Announcements that this process has received, including its own.",
    () => counts().heard,
  );
  byChannel(
    "grove_announcements_sent_total",
    "Announcements that this process has sent and delivered to itself.",
    () => counts().sent,
  );
  new Gauge({
    name: "grove_notifier_connected",
    help: "1 while announcements of other processes arrive, otherwise 0.",
    registers,
    collect() {
      this.set(database.notifier.connected ? 1 : 0);
    },
  });
  new Counter({
    name: "grove_notifier_reconnects_total",
    help: "How often a connection on which announcements arrive was lost and made again.",
    registers,
    collect() {
      this.reset();
      this.inc(counts().reconnects);
    },
  });
}
