import { createClient } from "@grove/client";
import { isRunning } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import { type Grove, signUpTo, startApi } from "../grove";
import { warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import type { Scope } from "../scope";
import { memoryOf } from "../usage";

/** The token for the metrics of the benchmark's own instances. */
export const METRICS_TOKEN = "the benchmark's own";
const DRAIN_SECONDS = 35;

export interface Instances {
  databaseUrl: string;
  urls: readonly string[];
  pids: readonly number[];
  /** A person of the first instance. */
  grove: Grove;
  /** The memory of all instances, in MiB. */
  memory(): number;
  /**
   * Analyzes all tables, as autovacuum does within a minute. Without that, the planner scans a table that was empty
   * when it was last analyzed.
   */
  analyze(): Promise<void>;
  /** Waits until an instance's process has ended, and starts another one at its address. */
  restart(at: number): Promise<void>;
}

/** Starts PostgreSQL and some instances of the API, and warms them up. */
export async function startInstances(scope: Scope, count: number, flushMs: number): Promise<Instances> {
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const start = (port = "0") =>
    startApi(scope, databaseUrl, {
      METRICS_TOKEN,
      DRAIN_SECONDS: `${DRAIN_SECONDS}`,
      PORT: port,
    });
  const first = await start();
  const others = [];
  for (let n = 1; n < count; n++) others.push(await start());
  const all = [first, ...others];
  const grove = await signUpTo(first);
  const pids = all.map(({ pid }) => pid);
  for (const { url } of all) {
    const client = createClient({ apiUrl: url, token: grove.apiKey });
    await warmUp(() => client.organization.list.query());
  }
  return {
    databaseUrl,
    urls: all.map(({ url }) => url),
    pids,
    grove,
    memory: () => pids.reduce((sum, pid) => sum + (memoryOf(pid)?.now ?? Number.NaN), 0),
    analyze: () => postgres.analyze(),
    async restart(at) {
      const stopped = all[at];
      if (!stopped) throw new Error(`There is no instance ${at}.`);
      await until(() => !isRunning(stopped.pid));
      await start(new URL(stopped.url).port);
    },
  };
}
