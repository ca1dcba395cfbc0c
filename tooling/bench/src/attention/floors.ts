import { once } from "node:events";
import pg from "pg";
import { answerOf } from "../http";
import { cleanEnvironment } from "../programs";
import type { Scope } from "../scope";
import { runHook } from "./hook";

/** The least that each measurement takes, in milliseconds. */
export interface Floors {
  /** Node itself, started as a hook is. */
  node(): Promise<number>;
  /** A notification from one connection of PostgreSQL to another. */
  notify(): Promise<number>;
  /** A POST. */
  post(): Promise<number>;
}

export async function startFloors(scope: Scope, databaseUrl: string, host: string): Promise<Floors> {
  const [listener, sender] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const client of [listener, sender]) {
    await client.connect();
    scope.defer(() => client.end());
  }
  await listener.query("listen floor");
  const timed = async (run: () => Promise<unknown>) => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
  return {
    node: async () => (await runHook(`'${process.execPath}' -e 0`, cleanEnvironment(), {})).ms,
    notify: () =>
      timed(async () => {
        const notified = once(listener, "notification");
        await sender.query("select pg_notify('floor', '')");
        await notified;
      }),
    post: () => timed(() => answerOf(`http://${host}/floor`, { body: {} })),
  };
}
