import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { firstIdAt, newId, timeOfId } from "./ids";
import {
  addPartitions,
  databaseTime,
  defaultPartition,
  dropPartition,
  inRecentWeeks,
  next,
  partitionsOf,
  startOf,
  weekRange,
} from "./partitions";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

describe("the start of a partition", () => {
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

describe("partitions of analytics_events", () => {
  const partitions = () => partitionsOf(db, "analytics_events");
  afterEach(async () => {
    await sql`truncate analytics_events`.execute(db);
  });
  const insert = (id: string) =>
    db.insertInto("analytics_events").values({ id, event: "a", properties: "{}" }).execute();
  const partOf = async (id: string) => {
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name
      from analytics_events where id = ${id}`.execute(db);
    return rows[0]?.name;
  };

  it("follow one another without a gap, two beyond the current one", async () => {
    const found = await partitions();
    for (const [at, { from }] of found.entries()) expect(from).toEqual(found[at - 1]?.to ?? null);
    const id = newId();
    await insert(id);
    expect(found.slice(-3)[0]?.name).toBe(await partOf(id));
    expect(timeOfId(id).getTime()).toBeGreaterThan(Date.now() - 10_000);
  });

  it("are created once, and take their rows from the default partition", async () => {
    const before = await partitions();
    await addPartitions(db, "analytics_events", await databaseTime(db));
    expect(await partitions()).toEqual(before);
    const last = before.at(-1)?.to ?? new Date(0);
    const early = firstIdAt(new Date(last.getTime() + 86_400_000));
    await insert(early);
    expect(await partOf(early)).toBe(defaultPartition("analytics_events"));
    await addPartitions(db, "analytics_events", last);
    const added = (await partitions()).slice(before.length);
    expect(added.map(({ from }) => from?.getTime())).toEqual([
      last.getTime(),
      ...added.slice(0, -1).map(({ to }) => to.getTime()),
    ]);
    expect(added).toHaveLength(3);
    expect(await partOf(early)).toBe(added[0]?.name);
    for (const part of added) await dropPartition(db, part);
    expect(await partOf(early)).toBeUndefined();
    expect(await partitions()).toEqual(before);
  });

  it("are created where one is missing, even if later ones exist", async () => {
    const before = await partitions();
    const [missing, after] = before.slice(-2);
    if (!missing || !after) throw new Error("There are no partitions.");
    const later = new Date(next("month", next("month", after.to)));
    await addPartitions(db, "analytics_events", later);
    const ofLater = (await partitions()).slice(before.length);
    await dropPartition(db, missing);
    await addPartitions(db, "analytics_events", await databaseTime(db));
    expect((await partitions()).map(({ name }) => name)).toEqual(
      [...before, ...ofLater].map(({ name }) => name),
    );
    for (const part of ofLater) await dropPartition(db, part);
  });
});

it("keeps a command that came before its partition", async () => {
  const organization = newId();
  const device = newId();
  const owner = newId();
  await sql`insert into users (id, email, name) values (${owner}, 'a@example.com', 'a')`.execute(db);
  await sql`insert into organizations (id, name, slug) values (${organization}, 'o', 'o')`.execute(db);
  await sql`insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash)
    values (${device}, ${organization}, ${owner}, 'd', 'linux', 'grd', 'h')`.execute(db);
  const last = (await partitionsOf(db, "device_commands")).at(-1)?.to ?? new Date();
  const id = firstIdAt(new Date(last.getTime() + 86_400_000));
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, principal, timeout_ms, queue_expires_at)
    values (${id}, ${organization}, ${device}, 'list_projects', '{}', 'user:x', 1, now())`.execute(db);
  await db.transaction().execute((trx) => addPartitions(trx, "device_commands", last));
  const { rows } = await sql<{
    part: string;
  }>`select tableoid::regclass::text as part from device_commands`.execute(db);
  expect(rows).toEqual([{ part: (await partitionsOf(db, "device_commands")).at(-3)?.name }]);
});

describe("the condition that names a command's week", () => {
  const holds = async (id: string, condition: ReturnType<typeof weekRange>) => {
    const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds
      from (select ${id}::uuid as id) as command`.execute(db);
    return rows[0]?.holds;
  };
  const at = (time: string) => `${firstIdAt(new Date(time)).slice(0, 14)}7000-8000-000000000000`;

  it("is true for all its ids", async () => {
    const ids = [newId(), firstIdAt(new Date(Date.now() - 20 * 86_400_000))];
    const condition = weekRange("id", ids);
    for (const id of ids) expect(await holds(id, condition)).toBe(true);
    for (const id of ["ffffffff-ffff-4fff-8fff-ffffffffffff", "00000000-0000-4000-8000-000000000000"])
      expect(await holds(id, weekRange("id", [id, newId()]))).toBe(true);
  });

  it("is the same for all commands of a week, and another for the next", () => {
    const text = (...ids: string[]) => weekRange("id", ids).compile(db).sql;
    const monday = startOf("week", new Date()).getTime();
    const id = (days: number) => firstIdAt(new Date(monday + days * 86_400_000));
    expect(text(id(0))).toBe(text(id(1), id(6.9)));
    expect(text(id(0))).not.toBe(text(id(7)));
  });

  it("takes this week and the last one, also for an id of a clock that is a little ahead", async () => {
    const sunday = Date.parse("2026-11-29T23:59:50Z");
    expect(await holds(at("2026-11-30T00:00:05Z"), inRecentWeeks("id", sunday))).toBe(true);
    expect(await holds(at("2026-11-23T00:00:00Z"), inRecentWeeks("id", sunday))).toBe(true);
    const before = Date.parse("2026-11-29T22:59:59Z");
    expect(await holds(at("2026-11-16T00:00:00Z"), inRecentWeeks("id", before))).toBe(true);
    expect(await holds(at("2026-11-15T23:59:59Z"), inRecentWeeks("id", before))).toBe(false);
  });
});
