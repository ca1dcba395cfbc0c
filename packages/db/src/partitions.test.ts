import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { firstIdAt, newId, timeOfId } from "./ids";
import { addPartitions, dropPartition, next, partitionsOf, restOf, startOf } from "./partitions";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

describe("the beginning of a part", () => {
  it.each([
    ["2026-11-23T00:00:00.000Z", "2026-11-23", "2026-11-01"],
    ["2026-11-29T23:59:59.999Z", "2026-11-23", "2026-11-01"],
    ["2027-01-03T12:00:00.000Z", "2026-12-28", "2027-01-01"],
  ])("of %s", (time, week, month) => {
    const day = (date: Date) => date.toISOString().slice(0, 10);
    expect(day(startOf("week", new Date(time)))).toBe(week);
    expect(day(startOf("month", new Date(time)))).toBe(month);
    expect(next("week", new Date(week)).getTime() - Date.parse(week)).toBe(7 * 86_400_000);
    expect(next("month", new Date("2026-12-01")).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("parts of analytics_events", () => {
  const parts = () => partitionsOf(db, "analytics_events");
  afterEach(async () => {
    await sql`delete from analytics_events`.execute(db);
  });
  const insert = (id: string) =>
    db.insertInto("analytics_events").values({ id, event: "a", properties: "{}" }).execute();
  const partOf = async (id: string) => {
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name
      from analytics_events where id = ${id}`.execute(db);
    return rows[0]?.name;
  };

  it("follow one another without a gap, two beyond the present one", async () => {
    const found = await parts();
    for (const [at, { from }] of found.entries()) expect(from).toEqual(found[at - 1]?.to ?? null);
    const id = newId();
    await insert(id);
    expect(found.slice(-3)[0]?.name).toBe(await partOf(id));
    expect(timeOfId(id).getTime()).toBeGreaterThan(Date.now() - 10_000);
  });

  it("are made once, and take in the rows that have come too early", async () => {
    const before = await parts();
    await addPartitions(db, "analytics_events");
    expect(await parts()).toEqual(before);
    const last = before.at(-1)?.to ?? new Date(0);
    const early = firstIdAt(new Date(last.getTime() + 86_400_000));
    await insert(early);
    expect(await partOf(early)).toBe(restOf("analytics_events"));
    await addPartitions(db, "analytics_events", last);
    const added = (await parts()).slice(before.length);
    expect(added.map(({ from }) => from?.getTime())).toEqual([
      last.getTime(),
      ...added.slice(0, -1).map(({ to }) => to.getTime()),
    ]);
    expect(added).toHaveLength(3);
    expect(await partOf(early)).toBe(added[0]?.name);
    for (const part of added) await dropPartition(db, part);
    expect(await partOf(early)).toBeUndefined();
    expect(await parts()).toEqual(before);
  });
});
