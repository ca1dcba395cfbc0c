import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isUniqueViolation, TransactionAbortedError } from "../errors";
import type { Database } from "../tables";
import { useTestDatabase } from "../testing";

const { db, engine, ping } = await useTestDatabase();

/** The row of a select list, in JavaScript. */
const read = async (list: string) => (await sql.raw(`select ${list}`).execute(db)).rows[0];

describe("a column's JavaScript type", () => {
  it.each([
    ["'2026-11-21 12:34:56.789+00'::timestamptz", "2026-11-21T12:34:56.789Z"],
    ["'2026-11-21 12:34:56.789123+02'::timestamptz", "2026-11-21T10:34:56.789Z"],
    ["'2026-01-02'::timestamptz", "2026-01-02T00:00:00.000Z"],
    ["'12026-01-02 00:00:00.5+00'::timestamptz", "+012026-01-02T00:00:00.500Z"],
    ["'infinity'::timestamptz", "infinity"],
    ["'0044-03-15 BC'::timestamptz", "-000043-03-15T00:00:00.000Z"],
    ["'9007199254740993'::int8", "9007199254740993"],
    ["1::int8", "1"],
    ["count(*)", "1"],
    ["1::int4", 1],
    ["1::int2", 1],
    ["1.5::float8", 1.5],
    ["1.50::numeric", "1.50"],
    ["'2026-02-28'::date", "2026-02-28"],
    ["'2026-02-28 10:00'::timestamp", "2026-02-28 10:00:00"],
    ["'1 day 2 hours'::interval", "1 day 02:00:00"],
    ["true", true],
    ["null::text", null],
    [`'{"a": [1, "b", null]}'::jsonb`, { a: [1, "b", null] }],
    ["'[1]'::json", [1]],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ["'018F3F2C-0000-7000-8000-000000000000'::uuid", "018f3f2c-0000-7000-8000-000000000000"],
    ["array['a,b', null, '\"', '\\']", ["a,b", null, '"', "\\"]],
    ["array[1, 2]", [1, 2]],
    ["array[1::int8]", ["1"]],
    ["array['2026-01-01'::date]", ["2026-01-01"]],
    ["array['2026-01-01'::timestamptz]", ["2026-01-01T00:00:00.000Z"]],
    [`array['{"a":1}'::jsonb]`, [{ a: 1 }]],
    ["array['018f3f2c-0000-7000-8000-000000000000'::uuid]", ["018f3f2c-0000-7000-8000-000000000000"]],
    ["pg_typeof(1)", "integer"],
  ])("%s", async (list, expected) => {
    const row = await read(`${list} as value`);
    expect(row).toStrictEqual({ value: expected });
  });
});

describe("a parameter", () => {
  it.each([
    ["timestamptz", new Date("2026-11-21T12:34:56.789Z"), "2026-11-21 12:34:56.789+00"],
    ["text", "O'Brien \\ \u{1F333}", "O'Brien \\ \u{1F333}"],
    ["text", 12, "12"],
    ["text", true, "true"],
    ["int4", 12, "12"],
    ["int4", "12", "12"],
    ["int8", 9007199254740993n, "9007199254740993"],
    ["boolean", false, "false"],
    ["jsonb", { a: ["b"] }, '{"a": ["b"]}'],
    ["jsonb", '["a"]', '["a"]'],
    ["bytea", Buffer.from([0, 255]), "\\x00ff"],
    ["text[]", ["a,b", 'c"', "\\", null], '{"a,b","c\\"","\\\\",NULL}'],
    ["text[]", [], "{}"],
    ["int4[]", [1, 2], "{1,2}"],
    ["bytea[]", [Buffer.from([255])], '{"\\\\xff"}'],
    ["timestamptz[]", [new Date("2026-01-01T00:00:00Z")], '{"2026-01-01 00:00:00+00"}'],
    ["uuid", undefined, null],
  ])("of type %s: %s", async (type, value, expected) => {
    const { rows } = await sql`select cast(${value}::${sql.raw(type)} as text) as value`.execute(db);
    expect(rows).toEqual([{ value: expected }]);
  });
});

describe("statements", () => {
  beforeAll(() => sql`create table dialect_items (id int primary key, name text)`.execute(db));
  afterAll(() => sql`drop table dialect_items`.execute(db));
  beforeEach(() => sql`truncate dialect_items`.execute(db));

  const insert = (on: typeof db | Transaction<Database>, id: number) =>
    sql`insert into dialect_items values (${id})`.execute(on);
  const ids = async () =>
    (await sql<{ id: number }>`select id from dialect_items order by id`.execute(db)).rows;

  it("report how many rows they changed", async () => {
    expect((await insert(db, 1)).numAffectedRows).toBe(1n);
    expect((await sql`update dialect_items set name = ${"x"}`.execute(db)).numAffectedRows).toBe(1n);
    expect((await sql`delete from dialect_items where id = ${5}`.execute(db)).numAffectedRows).toBe(0n);
    expect((await sql`select 1`.execute(db)).numAffectedRows).toBeUndefined();
  });

  it("may be several together when they have no parameters", async () => {
    await sql`insert into dialect_items values (1); insert into dialect_items values (2)`.execute(db);
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("of a transaction are committed together, or not at all", async () => {
    await db.transaction().execute(async (trx) => {
      await insert(trx, 1);
      await insert(trx, 2);
    });
    const failing = db.transaction().execute(async (trx) => {
      await insert(trx, 3);
      throw new Error("on second thoughts");
    });
    await expect(failing).rejects.toThrow("on second thoughts");
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("continue after a rolled back savepoint", async () => {
    const trx = await db.startTransaction().execute();
    await insert(trx, 1);
    const before = await trx.savepoint("before").execute();
    await expect(insert(before, 1)).rejects.toSatisfy((error) => isUniqueViolation(error));
    await before.rollbackToSavepoint("before").execute();
    await insert(trx, 2);
    const kept = await trx.savepoint("kept").execute();
    await insert(kept, 3);
    await kept.releaseSavepoint("kept").execute();
    await trx.commit().execute();
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it("that failed unnoticed make the commit fail", async () => {
    const swallowing = db.transaction().execute(async (trx) => {
      await insert(trx, 1);
      await insert(trx, 1).catch(() => {});
    });
    await expect(swallowing).rejects.toBeInstanceOf(TransactionAbortedError);
    expect(await ids()).toEqual([]);
  });

  it("take the isolation level that is asked for", async () => {
    await db
      .transaction()
      .setIsolationLevel("serializable")
      .execute(async (trx) => {
        const { rows } = await sql`show transaction_isolation`.execute(trx);
        expect(rows).toEqual([{ transaction_isolation: "serializable" }]);
      });
  });

  it("of many concurrent callers all run", async () => {
    const callers = Array.from({ length: 50 }, (_, id) =>
      db.transaction().execute(async (trx) => {
        await insert(trx, id);
        await sql`update dialect_items set name = ${"seen"} where id = ${id}`.execute(trx);
      }),
    );
    await Promise.all([...callers, ping()]);
    expect(await ids()).toHaveLength(50);
  });

  it("that fail leave the connection usable, whether they are parsed or run", async () => {
    await expect(sql`select * from nowhere where id = ${1}`.execute(db)).rejects.toMatchObject({
      code: "42P01",
    });
    await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: "22012" });
    await ping();
  });
});

it("runs in UTC", async () => {
  expect(await read("current_setting('TimeZone') as zone")).toEqual({ zone: "UTC" });
  expect(["pglite", "postgres"]).toContain(engine);
});
