import type { Database } from "@grove/db";
import { createTestDatabase } from "@grove/db/testing";
import { type Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { begin } from "../testing/device";
import { useOwnDevices } from "../testing/ownDevices";
import { useTestServer } from "../testing/server";

// Short times: each test waits for a sweep and its effects. Several rounds fit into the grace period.
const server = await useTestServer({ sweeper: { everyMs: 200, graceMs: 10_000 } });
const { db, url } = server.database;
const { online, execute, command: read } = useOwnDevices(server, await server.signUp("Ada"));

/** Counts the sent statements that contain this text. */
const sent = (text: string) => server.statements.filter((statement) => statement.sql.includes(text)).length;
const sweeps = () => sent("status = $1, finished_at = now()");
const rounds = () => sent("delete from device_commands");

/** Resolves when this many more have been sent. */
const more = async (count: () => number, by: number) => {
  const before = count();
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + by);
};

/**
 * Opens connections for everything that runs at the same time: while the database accepts none, nothing may need a new
 * one.
 */
async function openConnections(): Promise<void> {
  const { reserved } = server.services.database;
  const use = (on: Kysely<Database>) => sql`select pg_sleep(0.1)`.execute(on);
  await Promise.all([db, db, db, db, db, reserved, reserved, reserved].map(use));
}

/** A command that has run past its time, and that its device has had no chance to report since. */
async function overtime() {
  const { id, device } = await online();
  const command = await execute(id, { timeoutMs: 1_000 });
  await begin(command, device);
  await device.event("command");
  device.disconnect();
  return {
    commandId: command.id,
    passTime: (on: Kysely<Database> = db) =>
      sql`update device_commands set started_at = now() - interval '1 hour' where id = ${command.id}`.execute(
        on,
      ),
  };
}

const status = async (id: string) => (await read(id)).status;

it("gives nothing up while announcements do not arrive, nor soon after", async () => {
  const { commandId, passTime } = await overtime();
  await more(sweeps, 1);
  const name = new URL(url ?? "").pathname.slice(1);
  // A database cannot lock itself out.
  const other = await createTestDatabase();
  const allow = (connections: boolean) =>
    sql`alter database ${sql.id(name)} with allow_connections ${sql.lit(connections)}`.execute(other.db);
  await openConnections();
  try {
    // Open connections keep working, as when a database is back before the listener has reconnected.
    await allow(false);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and (query like 'listen%' or query like 'do $$%')`.execute(other.db);
    await expect.poll(() => server.services.database.notifier.connected).toBe(false);
    // A sweep that had begun before is over, too.
    await more(rounds, 2);
    await passTime();
    await more(rounds, 4);
    expect(await status(commandId)).toBe("running");
  } finally {
    await allow(true);
    await other.close();
  }
  await expect.poll(() => server.services.database.notifier.connected, { timeout: 60_000 }).toBe(true);
  await more(rounds, 2);
  expect(await status(commandId)).toBe("running");
  await expect.poll(() => status(commandId), { timeout: 60_000 }).toBe("timed_out");
});

it("gives nothing up when the process was paused", async () => {
  const { commandId, passTime } = await overtime();
  await more(sweeps, 1);
  await db.transaction().execute(async (trx) => {
    await passTime(trx);
    // As if the process were stopped: the database's answers are not read, and timers are late.
    const end = performance.now() + 2_000;
    while (performance.now() < end);
  });
  await more(rounds, 2);
  expect(await status(commandId)).toBe("running");
  await expect.poll(() => status(commandId), { timeout: 60_000 }).toBe("timed_out");
});
