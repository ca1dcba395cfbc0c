import { newId, partitionsOf } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { useOwnDevices } from "../testing/ownDevices";
import { useTestServer } from "../testing/server";
import { analyzeParent } from "./analyzeParents";
import { endTurn, stepsIn, takeTurn } from "./hourlyWork";
import { removeLargeResults } from "./removeLargeResults";
import { trimOutput } from "./trimOutput";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { online, execute, command } = useOwnDevices(server, ada);
const step = stepsIn(server.services.database.db);

const large = { projects: ["x".repeat(9_000)] };
const small = { projects: ["x".repeat(8_000)] };

/** A command that ended some days ago, and its device's report. */
async function reported(days: number, result: unknown, more: object = {}) {
  const { id: deviceId, device } = await online();
  const { id } = await execute(deviceId, more);
  await device.event("command");
  const report = () =>
    device.client.agent.complete.mutate({ id, journalId: device.journalId, result } as never);
  await report();
  await sql`update device_commands set finished_at = finished_at - ${sql.lit(`${days} days`)}::interval
    where id = ${id}`.execute(db);
  return { id, report };
}
const ended = async (...given: Parameters<typeof reported>) => (await reported(...given)).id;

/** Resets the hourly work, as if no instance had begun it. */
const fromTheBeginning = () => sql`delete from maintenance`.execute(db);

it("removes a large result 7 days after the command's end, and marks it as removed", async () => {
  const [old, young, oldSmall] = [await ended(8, large), await ended(6, large), await ended(8, small)];
  await removeLargeResults(step);
  const removed = await command(old);
  expect(removed).toMatchObject({ status: "succeeded", result: null, error: null });
  expect(Date.parse(removed.resultRemovedAt ?? "")).toBeGreaterThan(Date.parse(removed.finishedAt ?? ""));
  expect(await command(young)).toMatchObject({ result: large, resultRemovedAt: null });
  expect(await command(oldSmall)).toMatchObject({ result: small, resultRemovedAt: null });
});

it("resumes where it stopped, with ties and results of any size", async () => {
  // Random, so that it does not compress.
  const incompressible = {
    image: Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join(""),
  };
  const first = await ended(20, incompressible);
  const { id: deviceId } = await online();
  // All ended at one time, as after a sweep.
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, status, principal, timeout_ms,
      queue_expires_at, finished_at, result, late_result)
    select gen_random_uuid(), ${organizationId}, ${deviceId}, 'list_projects', '{}', 'lost', 'user:x', 1, now(),
      date_trunc('day', now()) - interval '10 days', null, case when n % 2 = 0 then jsonb_build_object('result', repeat('y', 9000)) end
    from generate_series(1, 1200) as n`.execute(db);
  const last = await ended(9, large);
  await fromTheBeginning();
  const pages = () => server.statements.filter(({ sql: text }) => text.includes("rows with ties")).length;
  const before = pages();
  await removeLargeResults(step);
  expect(pages() - before).toBe(3);
  for (const id of [first, last]) expect(await command(id)).toMatchObject({ result: null });
  const { rows } = await sql`select count(*) filter (where result_removed_at is null)::integer as kept,
    count(late_result)::integer as late from device_commands where device_id = ${deviceId}`.execute(db);
  expect(rows).toEqual([{ kept: 600, late: 0 }]);
  await removeLargeResults(step);
  expect(await command(await ended(8, large))).toMatchObject({ result: large });
});

it("answers a repeat with the same command and its result, while the idempotency key is valid", async () => {
  const key = { idempotencyKey: "once" };
  const id = await ended(0, large, key);
  await removeLargeResults(step);
  const { deviceId } = await command(id);
  expect(await execute(deviceId, { ...key, ifOffline: "queue" })).toMatchObject({ id, result: large });
  await sql`update command_keys set created_at = now() - interval '8 days'`.execute(db);
  await sql`update device_commands set finished_at = finished_at - interval '8 days' where id = ${id}`.execute(
    db,
  );
  await fromTheBeginning();
  await removeLargeResults(step);
  expect((await command(id)).result).toBeNull();
  const again = await execute(deviceId, { ...key, ifOffline: "queue" });
  expect(again).toMatchObject({ result: null, resultRemovedAt: null });
  expect(again.id).not.toBe(id);
});

it("does not store a result that is reported again after its removal", async () => {
  const { id, report } = await reported(8, large);
  const late = JSON.stringify({ result: large });
  await sql`update device_commands set status = 'timed_out', result = null, late_result = ${late}::jsonb
    where id = ${id}`.execute(db);
  await fromTheBeginning();
  await removeLargeResults(step);
  await report();
  expect(await command(id)).toMatchObject({ status: "timed_out", lateResult: null });
});

it("keeps the end of a session's output from 7 days after its end on", async () => {
  const { id: deviceId } = await online();
  const session = async (days: number) => {
    const { rows } = await sql<{
      id: string;
    }>`insert into agent_sessions (organization_id, id, device_id, agent, last_sequence,
        output_bytes, created_at, status, ended_at)
      values (${organizationId}, gen_random_uuid(), ${deviceId}, 'claude', 40, 40000, now() - interval '9 days', 'exited',
        now() - ${sql.lit(`${days} days`)}::interval) returning id`.execute(db);
    const id = rows[0]?.id ?? "";
    await sql`insert into agent_session_output (organization_id, session_id, sequence, data, end_byte)
      select ${organizationId}, ${id}, n, lpad(n || '.', 1000, '-'), n * 1000 from generate_series(1, 40) as n`.execute(
      db,
    );
    return id;
  };
  const [old, young] = [await session(8), await session(6)];
  await trimOutput(step);
  const tail = (id: string) => ada.client.agent.sessionTail.query({ organizationId, id, length: 60_000 });
  const kept = await tail(old);
  expect(kept.output).toHaveLength(17_000);
  expect(kept).toMatchObject({ truncated: true, sequence: 40 });
  expect(kept.output).toMatch(/-40\.$/);
  expect(await tail(young)).toMatchObject({ truncated: false });
  expect((await tail(young)).output).toHaveLength(40_000);
});

it("is done once an hour, by one instance, until it is stopped", async () => {
  await fromTheBeginning();
  const end = new AbortController();
  const take = () => takeTurn(db, end.signal);
  const [first, ...others] = (await Promise.all([take(), take(), take()])).filter((one) => one !== undefined);
  expect(others).toEqual([]);
  const done: string[] = [];
  const work = (what: string) => async () => done.push(what);
  expect(await first?.(work("a step"))).toBe(true);
  // The instance was paused for so long that another one has begun.
  await sql`update maintenance set reached = reached - interval '1 hour'`.execute(db);
  expect(await first?.(work("a step too late"))).toBe(false);
  const second = await take();
  expect(await first?.(work("another step too late"))).toBe(false);
  expect(await second?.(work("a step of the next"))).toBe(true);
  end.abort();
  expect(await second?.(work("a step after the end"))).toBe(false);
  expect(done).toEqual(["a step", "a step of the next"]);
});

it("is continued by another instance when one has abandoned it; otherwise it waits for the next hour", async () => {
  await fromTheBeginning();
  const take = () => takeTurn(db, new AbortController().signal);
  const pass = (time: string) =>
    sql`update maintenance set reached = reached - ${sql.lit(time)}::interval`.execute(db);
  await take();
  expect(await take()).toBeUndefined();
  await pass("2 minutes");
  const second = await take();
  expect(second && (await endTurn(second))).toBe(true);
  await pass("50 minutes");
  expect(await take()).toBeUndefined();
  await pass("10 minutes");
  expect(await take()).toBeDefined();
});

it("gives the planner an estimate of the distinct users of a partitioned table", async () => {
  await sql`insert into analytics_events (id, organization_id, user_id, event, properties)
    select (substr(${newId()}, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, ${organizationId}, null, 'event ' || n, '{}'
    from generate_series(1, 2000) as n`.execute(db);
  const expected = async () => {
    const { rows } = await sql<Record<string, string>>`explain select event, count(*) from analytics_events
      group by event`.execute(db);
    return Number(/rows=(\d+)/.exec(rows[0]?.["QUERY PLAN"] ?? "")?.[1]);
  };
  for (const { name } of await partitionsOf(db, "analytics_events"))
    await sql`analyze ${sql.table(name)}`.execute(db);
  expect(await expected()).toBe(200);
  await analyzeParent(db, "analytics_events");
  expect(await expected()).toBeGreaterThan(1_900);
});
