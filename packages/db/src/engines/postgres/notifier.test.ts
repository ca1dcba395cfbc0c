import { startPostgres } from "@grove/testing/postgres";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { ALL_KEYS, type NotifierEvent, notify } from "../../notifier";
import { openDatabase } from "../../open";
import { useTestDatabase } from "../../testing";

const { db, notifier, url } = await useTestDatabase();

const heard: NotifierEvent = { kind: "notification", key: "a", detail: "" };

/** Cuts the listening connection; resolves when the server has accepted that. */
const cut = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(db);

it("holds one connection of its own", async () => {
  const { rows } = await sql`select count(*) as n from pg_stat_activity
    where datname = current_database() and query like 'listen%'`.execute(db);
  expect(rows).toEqual([{ n: "1" }]);
});

it("listens again after its connection was cut, and notifies all subscribers to read again", async () => {
  const received: (NotifierEvent | "reconnect")[] = [];
  const ends = [
    notifier.subscribe("command_changed", "a", (event) => received.push(event)),
    notifier.onReconnect(() => received.push("reconnect")),
  ];
  for (let round = 1; round <= 3; round++) {
    await cut();
    await expect.poll(() => received).toEqual(["reconnect", { kind: "resync" }]);
    expect(notifier.connected).toBe(true);
    await notify(db, "command_changed", "a");
    await expect.poll(() => received).toEqual(["reconnect", { kind: "resync" }, heard]);
    received.length = 0;
  }
  for (const end of ends) end();
});

it("delivers announcements that come together to other processes, in order", async () => {
  const other = await openDatabase({ url: url ?? "" });
  onTestFinished(() => other.close());
  const received: string[] = [];
  other.notifier.subscribe("command_changed", ALL_KEYS, (event) => {
    if (event.kind === "notification") received.push(`${event.key} ${event.detail}`);
  });
  const lines = Array.from({ length: 500 }, (_, n) => `${n} ${n % 2 ? "\u2028" : "é".repeat(90)}`);
  for (const line of lines) notifier.announce("command_changed", line);
  await expect.poll(() => received).toEqual(lines);
});

it("announces nothing to others while the database is unreachable, and has them read again afterwards", async () => {
  const server = await startPostgres({ fresh: true });
  const [one, other] = [await openDatabase({ url: server.url }), await openDatabase({ url: server.url })];
  try {
    const received: NotifierEvent[] = [];
    other.notifier.subscribe("device_wake", "a", (event) => received.push(event));
    process.kill(server.pid ?? 0, "SIGKILL");
    await expect.poll(() => other.notifier.connected).toBe(false);
    one.notifier.announce("device_wake", "a");
    await server.restart?.();
    await expect.poll(() => received).toEqual([{ kind: "resync" }]);
    one.notifier.announce("device_wake", "a");
    await expect.poll(() => received).toEqual([{ kind: "resync" }, heard]);
  } finally {
    await Promise.all([one.close(), other.close()]);
    await server.stop();
  }
});

it("outlives a server that is killed and comes back", async () => {
  const server = await startPostgres({ fresh: true });
  const database = await openDatabase({ url: server.url });
  try {
    const received: NotifierEvent[] = [];
    database.notifier.subscribe("device_wake", "a", (event) => received.push(event));
    process.kill(server.pid ?? 0, "SIGKILL");
    await expect.poll(() => database.notifier.connected).toBe(false);
    await expect(database.ping()).rejects.toThrow();
    await server.restart?.();
    await expect.poll(() => received).toEqual([{ kind: "resync" }]);
    await database.ping();
    await notify(database.db, "device_wake", "a");
    await expect.poll(() => received).toEqual([{ kind: "resync" }, heard]);
  } finally {
    await database.close();
    await server.stop();
  }
});

it("can be closed while the server is unreachable", async () => {
  const server = await startPostgres({ fresh: true });
  const database = await openDatabase({ url: server.url });
  await server.stop();
  await expect.poll(() => database.notifier.connected).toBe(false);
  await database.close();
});
