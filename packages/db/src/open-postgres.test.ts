import { createDatabase } from "@grove/testing/postgres";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, it, vi } from "vitest";
import { migrations } from "./migrations";
import { openDatabase } from "./open";

const server = inject("postgresUrl");

it("migrates once when three open a new database at the same moment", async () => {
  const { url, drop } = await createDatabase(server);
  const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
  for (const { db } of opened) {
    const { rows } = await sql`select name from kysely_migration order by name`.execute(db);
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
  }
  for (const { close } of opened) await close();
  await drop();
});

it.each([
  [2, "2.0 hours ahead of"],
  [-1_440, "1440.0 hours behind"],
])("refuses to open when this machine's clock is %s hours ahead", async (hours, words) => {
  const { url, drop } = await createDatabase(server);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
  try {
    await expect(openDatabase({ url })).rejects.toThrow(`is ${words} the database's. Set the clocks`);
  } finally {
    vi.useRealTimers();
  }
  const { db, close } = await openDatabase({ url, migrating: false });
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db);
  expect(rows).toEqual([]);
  await close();
  await drop();
});

it("leaves no connection behind when it is closed", async () => {
  const { url, drop } = await createDatabase(server);
  const observer = new pg.Client(server);
  await observer.connect();
  const connections = async () => {
    const name = new URL(url).pathname.slice(1);
    return (await observer.query("select from pg_stat_activity where datname = $1", [name])).rowCount;
  };
  const { engine, ping, close } = await openDatabase({ url });
  expect(engine).toBe("postgres");
  await ping();
  // The pooled connection and the listening one; the one that migrated may still be closing.
  await expect.poll(connections).toBe(2);
  await Promise.all([close(), close()]);
  await expect(ping()).rejects.toThrow();
  await expect.poll(connections).toBe(0);
  await observer.end();
  await drop();
});

it("listens and migrates at the direct address, and works at the other", async () => {
  const { url: directUrl, drop } = await createDatabase(server);
  const observer = new pg.Client(directUrl);
  await observer.connect();
  const database = new URL(directUrl).pathname.slice(1);
  const url = new URL(directUrl);
  url.username = `pooled_${database}`;
  url.password = "pooled";
  // The role may create no table.
  await observer.query(`create role ${url.username} login password 'pooled'`);
  const { db, close } = await openDatabase({ url: url.href, directUrl });
  expect((await sql`select current_user as "user"`.execute(db)).rows).toEqual([{ user: url.username }]);
  const { rows } = await observer.query(
    "select usename = current_user as direct from pg_stat_activity where datname = $1 and query like 'listen %'",
    [database],
  );
  expect(rows).toEqual([{ direct: true }]);
  await close();
  await observer.query(`drop role ${url.username}`);
  await observer.end();
  await drop();
});

it("reports that there is no server", async () => {
  await expect(openDatabase({ url: "postgres://postgres@127.0.0.1:1/postgres" })).rejects.toThrow(
    "ECONNREFUSED",
  );
});

it("opens a database without the right to install extensions, and without the search index", async () => {
  const { url, drop } = await createDatabase(server);
  const owner = new pg.Client(url);
  await owner.connect();
  const role = `limited_${new URL(url).pathname.slice(1)}`;
  await owner.query(`create role ${role} login password 'limited'`);
  await owner.query(`grant all on schema public to ${role}`);
  const limited = new URL(url);
  limited.username = role;
  limited.password = "limited";
  const { db, close } = await openDatabase({ url: limited.href });
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where indexname in ('tasks_search', 'tasks_labels')`.execute(db);
  expect(rows).toEqual([{ name: "tasks_labels" }]);
  await close();
  await owner.query(`drop owned by ${role}`);
  await owner.query(`drop role ${role}`);
  await owner.end();
  await drop();
});
