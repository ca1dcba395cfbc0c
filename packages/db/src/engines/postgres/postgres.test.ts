import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { type Kysely, sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { version } from "../../../package.json";
import { isUnavailable } from "../../errors";
import { silent as silentLog } from "../../log";
import type { Database } from "../../tables";
import { useTestDatabase } from "../../testing";
import { openPostgres } from "./postgres";

const { db: admin, url = "" } = await useTestDatabase();

const opened: Kysely<Database>[] = [];
/** A pool of one, so that each statement meets the same connection for as long as that lives. */
function open(statementTimeoutMs = 0) {
  const db = openPostgres({ url, poolSize: 1, statementTimeoutMs, log: silentLog });
  opened.push(db);
  return db;
}
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy();
});

async function backend(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}
const prepared = async (db: Kysely<Database>) =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows;
const terminate = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(admin);

it("prepares a statement once per connection", async () => {
  const db = open();
  for (const id of ["a", "b"]) await sql`select ${id} as id`.execute(db);
  expect(await prepared(db)).toEqual([{ statement: "select $1 as id" }]);
});

it("replaces a connection before it holds too many statements", async () => {
  const db = open();
  const first = await backend(db);
  for (let i = 0; i < 600; i++) await sql`select ${i} as ${sql.ref(`c${i}`)}`.execute(db);
  expect(await backend(db)).not.toBe(first);
  expect((await prepared(db)).length).toBeLessThan(500);
});

it("survives a migration that changes what a prepared statement returns", async () => {
  const db = open();
  await sql`create table stale (id int)`.execute(admin);
  const select = (on = db) => sql`select * from stale where id > ${0}`.execute(on);
  await select();
  await sql`alter table stale add column name text; insert into stale values (1, 'x')`.execute(admin);
  expect((await select()).rows).toEqual([{ id: 1, name: "x" }]);

  await select();
  await sql`alter table stale add column size int`.execute(admin);
  const inTransaction = db.transaction().execute(async (trx) => select(trx));
  await expect(inTransaction).rejects.toThrow("cached plan");
  expect((await select()).rows).toEqual([{ id: 1, name: "x", size: null }]);
});

it("survives the loss of an idle connection", async () => {
  const db = open();
  const lost = await backend(db);
  await terminate(lost);
  // A query that is sent before the loss is known fails; the pool continues.
  await expect.poll(() => backend(db).catch(() => lost)).not.toBe(lost);
});

it("cuts a silent connection, and makes another one", async () => {
  const { hostname, port } = new URL(url);
  let silent = false;
  const line = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on("data", (data) => silent || far.write(data)).on("close", () => far.destroy());
    far.on("data", (data) => silent || near.write(data)).on("close", () => near.destroy());
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  await once(line.listen(0, "127.0.0.1"), "listening");
  const through = new URL(url);
  through.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;
  const db = openPostgres({ url: through.href, poolSize: 1, statementTimeoutMs: 500, log: silentLog });
  const first = await backend(db);
  silent = true;
  const error = await backend(db).catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  silent = false;
  expect(await backend(db)).not.toBe(first);
  await db.destroy();
  line.close();
});

it("distinguishes a database that is unreachable, or does not exist, from a wrong statement", async () => {
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const db = open();
  const pid = await backend(db);
  const running = failure(sql`select pg_sleep(30)`.execute(db));
  await terminate(pid);
  expect(isUnavailable(await running)).toBe(true);
  const nobody = openPostgres({
    url: "postgres://127.0.0.1:9/none",
    poolSize: 1,
    statementTimeoutMs: 0,
    log: silentLog,
  });
  opened.push(nobody);
  expect(isUnavailable(await failure(backend(nobody)))).toBe(true);
  expect(isUnavailable(await failure(sql`select 1 / 0`.execute(db)))).toBe(false);
  expect(isUnavailable(new Error("something else"))).toBe(false);
});

it("survives the loss of a connection inside a transaction", async () => {
  const db = open();
  const losing = db.transaction().execute(async (trx) => {
    await terminate(await backend(trx));
    await sql`select 1`.execute(trx);
  });
  await expect(losing).rejects.toThrow();
  await sql`select 1`.execute(db);
});

it("ends a statement that takes too long", async () => {
  await expect(sql`select pg_sleep(30)`.execute(open(50))).rejects.toMatchObject({ code: "57014" });
});

it("waits for a connection of its own when the server allows no further one", async () => {
  const role = `few_${new URL(url).pathname.slice(1)}`;
  await sql.raw(`create role ${role} login password 'few' connection limit 2`).execute(admin);
  const limited = new URL(url);
  limited.username = role;
  limited.password = "few";
  const db = openPostgres({ url: limited.href, poolSize: 8, statementTimeoutMs: 0, log: silentLog });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => sql`select ${index} as n`.execute(db)),
  );
  expect(answers.map(({ rows }) => rows[0])).toEqual(answers.map((_, n) => ({ n: `${n}` })));

  await sql.raw(`alter role ${role} connection limit 8`).execute(admin);
  const busy = () => Promise.all(Array.from({ length: 8 }, () => backend(db)));
  await expect.poll(async () => new Set(await busy()).size).toBeGreaterThan(2);
  await db.destroy();

  // Without a connection of its own, there is none to wait for.
  await sql.raw(`alter role ${role} connection limit 0`).execute(admin);
  const none = openPostgres({ url: limited.href, poolSize: 8, statementTimeoutMs: 0, log: silentLog });
  await expect(backend(none)).rejects.toMatchObject({ code: "53300" });
  await none.destroy();
  await sql.raw(`drop role ${role}`).execute(admin);
});

it("names its connections", async () => {
  const { rows } = await sql`select current_setting('application_name') as name`.execute(open());
  expect(rows).toEqual([{ name: `grove ${version}` }]);
});
