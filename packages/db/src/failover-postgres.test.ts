import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Line } from "@grove/testing/line";
import { runStatement, startPostgres } from "@grove/testing/postgres";
import { sql } from "kysely";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { examineServer } from "./examineServer";
import { openDatabase } from "./open";

vi.setConfig({ testTimeout: 60_000 });

/** A server of its own, with a role whose password all have in common. */
async function startServer() {
  const server = await startPostgres({ fresh: true });
  afterAll(() => server.stop());
  await runStatement(server.url, "create role grove superuser login password 'grove'");
  const url = new URL(server.url);
  url.username = "grove";
  url.password = "grove";
  return { ...server, url: url.href, port: Number(url.port) };
}

const servers = [await startServer(), await startServer()] as const;
for (const { url } of servers) await (await openDatabase({ url })).close();
const [old, next] = servers;

async function openThrough(port: number) {
  const line = await Line.to(port);
  onTestFinished(() => line.end());
  const url = new URL(old.url);
  url.port = `${line.port}`;
  const database = await openDatabase({ url: url.href });
  onTestFinished(() => database.close());
  return { line, ...database };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const setReadOnly = async (url: string, value: "on" | "off") => {
  await runStatement(url, `alter system set default_transaction_read_only = ${value}`);
  await runStatement(url, "select pg_reload_conf()");
};

it("replaces all connections once the server that they lead to is read-only", async () => {
  const { line, db, reserved, slow, ping } = await openThrough(old.port);
  const pools = [db, db, db, reserved, reserved, slow];
  const write = (on: typeof db) => sql`update users set name = name where false`.execute(on);
  await Promise.all(pools.map(write));
  await setReadOnly(old.url, "on");
  onTestFinished(() => setReadOnly(old.url, "off"));
  line.leadTo(next.port);
  await expect.poll(() => failureOf(write(db))).toMatchObject({ code: "25006" });
  await Promise.all(pools.map(write));
  await ping();
});

it("does not answer a ping while it is read-only, and does afterwards", async () => {
  const { ping } = await openThrough(old.port);
  await setReadOnly(old.url, "on");
  try {
    await expect.poll(() => failureOf(ping())).toMatchObject({ code: "25006" });
  } finally {
    await setReadOnly(old.url, "off");
  }
  await expect.poll(() => failureOf(ping())).toBeUndefined();
});

it("does not answer a ping of a standby, and does after its promotion", async () => {
  writeFileSync(join(next.dir ?? "", "standby.signal"), "");
  const { line, ping } = await openThrough(old.port);
  await next.restart?.();
  line.leadTo(next.port);
  line.cut();
  await expect.poll(() => failureOf(ping())).toMatchObject({ code: "25006" });
  await expect(examineServer(next.url)).rejects.toThrow("is a standby");
  await runStatement(next.url, "select pg_promote()");
  await expect.poll(() => failureOf(ping())).toBeUndefined();
});
