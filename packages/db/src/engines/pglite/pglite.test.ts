import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { ConnectionTimeoutError, isStatementTimeout, NestedQueryError, TooCostlyError } from "../../errors";
import { notify } from "../../notifier";
import { useTestDatabase } from "../../testing";
import { vacuumAll } from "./vacuum";

const { db, slow, notifier, ping } = await useTestDatabase();

afterEach(() => {
  vi.useRealTimers();
});

it("refuses a query outside the open transaction, which would wait for itself", async () => {
  await db.transaction().execute(async (trx) => {
    await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(NestedQueryError);
    await expect(db.transaction().execute(async () => {})).rejects.toBeInstanceOf(NestedQueryError);
    await sql`select 1`.execute(trx);
  });
  await ping();
});

it("lets others wait for the open transaction to end", async () => {
  const order: string[] = [];
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const transaction = db.transaction().execute(async () => {
    enter();
    await left;
    order.push("transaction");
  });
  await entered;
  const query = ping().then(() => order.push("query"));
  leave();
  await Promise.all([transaction, query]);
  expect(order).toEqual(["transaction", "query"]);
});

it("lets work that a transaction left running use the database once it has ended", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { later } = await db.transaction().execute(async () => ({ later: ended.then(ping) }));
  end();
  await later;
});

it("bounds the wait for the connection", async () => {
  const open = await db.startTransaction().execute();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting = expect(ping()).rejects.toBeInstanceOf(ConnectionTimeoutError);
  await vi.advanceTimersByTimeAsync(60_000);
  await waiting;
  await open.rollback().execute();
  await ping();
});

it("lets a listener query, though its event comes from within a transaction's commit", async () => {
  const heard = new Promise((resolve) => {
    notifier.subscribe("device_wake", "d1", () => resolve(ping()));
  });
  await db.transaction().execute((trx) => notify(trx, "device_wake", "d1"));
  await heard;
});

it("gives sockets and timers a turn between waiting statements", async () => {
  const turns: string[] = [];
  const statements = Array.from({ length: 50 }, () => ping().then(() => turns.push("statement")));
  setImmediate(() => turns.push("the event loop"));
  await Promise.all(statements);
  expect(turns.indexOf("the event loop")).toBeLessThan(5);
});

it("refuses a query on slow that its planner expects to take too long, and answers others", async () => {
  const count = (of: number) =>
    sql<{ n: number }>`select count(*)::int as n from generate_series(1, ${of}) as n`;
  const { rows } = await count(1_000).execute(slow);
  expect(rows).toEqual([{ n: 1_000 }]);
  const many = sql`select count(*) from generate_series(1, 100000000) as n`;
  const refused = await many.execute(slow).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TooCostlyError);
  expect(isStatementTimeout(refused)).toBe(true);
  await ping();
});

it("has statistics and a visibility map once its tables are vacuumed", async () => {
  await sql`insert into users (id, email, name)
    select gen_random_uuid(), n || '@example.com', 'n' from generate_series(1, 100) as n`.execute(db);
  await vacuumAll(db);
  const { rows } = await sql`select reltuples::int as n, relallvisible = relpages as "allVisible"
    from pg_class where relname = 'users'`.execute(db);
  expect(rows).toEqual([{ n: 100, allVisible: true }]);
});
