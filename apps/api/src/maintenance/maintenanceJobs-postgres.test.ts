import { newId, partitionsOf } from "@grove/db";
import { sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { withAdvisoryLock } from "../lib/advisoryLock";
import { useTestServer } from "../testing/server";
import { analyzeParent } from "./analyzeParents";
import { stepsIn } from "./hourlyWork";
import { inPages } from "./keysetPages";
import { startMaintenanceJobs } from "./maintenanceJobs";
import type { MaintenanceTimes } from "./options";

const server = await useTestServer();
const { db } = server.database;
const { organizationId } = await server.signUp("Ada");

const keep = (maintenance: MaintenanceTimes) => {
  const { config } = server.services;
  onTestFinished(startMaintenanceJobs({ ...server.services, config: { ...config, maintenance } }));
};

/** Makes an expired row. Returns a function that resolves when the row is deleted. */
async function insertOutdated(): Promise<() => Promise<void>> {
  await sql`delete from maintenance`.execute(db);
  await sql`insert into command_keys (organization_id, principal, key, command_id, created_at)
    values (${organizationId}, 'user:x', 'key', gen_random_uuid(), now() - interval '2 days')`.execute(db);
  const left = async () => (await sql`select from command_keys`.execute(db)).rows.length;
  return () => expect.poll(left, { timeout: 60_000 }).toBe(0);
}

const deletion = async () => (await insertOutdated())();

const waiting = async () => {
  const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length;
};

it("first runs as soon as the partitions exist, if that takes longer than a minute", async () => {
  const isDeleted = await withAdvisoryLock(db, "cleaning", async () => {
    keep({ firstMs: 1, everyMs: 3_600_000 });
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    // There is one run only, as soon as the lock is free.
    return { wait: await insertOutdated() };
  });
  await isDeleted.wait();
});

it("keeps unexpired rows when the clock of this machine is months ahead", async () => {
  const parts = async () => [
    ...(await partitionsOf(db, "device_commands")),
    ...(await partitionsOf(db, "analytics_events")),
  ];
  const before = await parts();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 200 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  keep({ firstMs: 1, everyMs: 5 });
  await deletion();
  expect(await parts()).toEqual(before);
});

it("runs again after the interval", async () => {
  keep({ firstMs: 1, everyMs: 5 });
  await deletion();
  await deletion();
});

const record = (count: number) =>
  sql`insert into analytics_events (id, organization_id, event, properties)
    select (substr(${newId()}, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, ${organizationId}, 'event', '{}'
    from generate_series(1, ${sql.lit(count)}) as n`.execute(db);

it("reads pages of events from their index, even without planner statistics", async () => {
  await record(20_000);
  const part = (await partitionsOf(db, "analytics_events")).at(-3)?.name ?? "";
  const plans: string[] = [];
  await inPages(stepsIn(db), undefined, async (trx, _, size) => {
    const { rows } = await sql<Record<string, string>>`explain select occurred_at, id from ${sql.table(part)}
      where organization_id = ${organizationId} and (occurred_at, id) > ('-infinity', gen_random_uuid())
      order by organization_id, occurred_at, id limit ${sql.lit(size * 20)}`.execute(trx);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    return undefined;
  });
  expect(plans[0]).toContain("Index Scan using analytics_events_time");
});

it("analyzes a partitioned table without blocking reads and writes", async () => {
  for (const { name } of await partitionsOf(db, "analytics_events"))
    await sql`analyze ${sql.table(name)}`.execute(db);
  await db.transaction().execute(async (trx) => {
    await analyzeParent(trx, "analytics_events", async (work) => {
      await work(trx);
      return true;
    });
    const { rows } = await sql`select from pg_locks where relation = 'analytics_events'::regclass
      and mode = 'ShareUpdateExclusiveLock'`.execute(trx);
    expect(rows).toHaveLength(1);
    await record(1);
    expect((await sql`select from analytics_events`.execute(db)).rows).toHaveLength(20_001);
  });
});
