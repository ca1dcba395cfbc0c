import { EVERY_KEY } from "@grove/db";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { useSecondInstance } from "../testing/instance";
import { stockClient, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

// Two instances on one PostgreSQL. The device and the caller are connected to the first.
const first = await useTestServer();
const second = await useSecondInstance(first);
const ada = await first.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
  organizationId,
  name: "a",
  platform: "linux",
});
const device = connectDevice(first.url, apiKey);
await untilStatus(onSecond, organizationId, deviceId, "online");
afterAll(() => device.disconnect());

/** The announcements of commands, as `<id> <status>`. */
const told: string[] = [];
second.database.notifier.subscribe("command_changed", EVERY_KEY, (event) => {
  if (event.kind === "notification") told.push(`${event.key} ${event.detail}`);
});
const toldOf = (id: string) => told.filter((line) => line.startsWith(id)).map((line) => line.split(" ")[1]);

/** A command that the device has and its caller waits for. */
async function submit() {
  const seen = device.events.length;
  const answer = ada.client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
  });
  const { id } = await device.event("command", (event) => device.events.indexOf(event) >= seen);
  return { id, answer };
}
const end = (id: string, { client } = device as Pick<TestDevice, "client">) =>
  client.agent.complete.mutate({ id, journalId: device.journalId, result: { projects: [] } });
const toSecond = { client: stockClient(second.url, apiKey) };
const wait = (id: string) => onSecond.agent.getCommand.query({ organizationId, id, waitMs: 55_000 });

const isAnnounced = async (id: string) =>
  (
    await first.database.db
      .selectFrom("device_commands")
      .select("announce")
      .where("id", "=", id)
      .executeTakeFirst()
  )?.announce;

/** Resolves when every announcement made so far has arrived. */
async function untilHeard() {
  const { id } = await onSecond.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
    waitMs: 0,
  });
  await end(id);
  await expect.poll(() => toldOf(id)).toEqual(["succeeded"]);
}

it("announces nothing when only the caller waits, on the instance that has the device's stream", async () => {
  const { id, answer } = await submit();
  await device.client.agent.progress.mutate({ id, journalId: device.journalId, message: "half" });
  await end(id);
  expect(await answer).toMatchObject({ id, status: "succeeded", result: { projects: [] } });
  await untilHeard();
  expect(toldOf(id)).toEqual([]);
});

// Each of these waits for the announcement: without one the answer would come from the fallback poll.
it("notifies a waiter on another instance", async () => {
  const { id, answer } = await submit();
  const elsewhere = wait(id);
  await expect.poll(() => isAnnounced(id)).toBe(true);
  await end(id);
  await expect.poll(() => toldOf(id)).toEqual(["succeeded"]);
  for (const command of [await answer, await elsewhere])
    expect(command).toMatchObject({ id, status: "succeeded", result: { projects: [] } });
});

it("notifies a watcher on another instance, also of progress", async () => {
  const { id, answer } = await submit();
  const watched = watch<{ type: string }>((handlers) =>
    onSecond.agent.watchCommand.subscribe({ organizationId, id }, handlers),
  );
  await expect.poll(() => isAnnounced(id)).toBe(true);
  await device.client.agent.progress.mutate({ id, journalId: device.journalId, message: "half" });
  await expect.poll(() => toldOf(id)).toEqual(["running"]);
  await watched.event(({ type }) => type === "progress");
  await end(id);
  await expect.poll(() => toldOf(id)).toEqual(["running", "succeeded"]);
  await watched.event(({ type }) => type === "settled");
  await answer;
});

it("notifies the caller when the end is reported to another process", async () => {
  const { id, answer } = await submit();
  await end(id, toSecond);
  await expect.poll(() => toldOf(id)).toEqual(["succeeded"]);
  expect(await answer).toMatchObject({ id, status: "succeeded", result: { projects: [] } });
});

/** As `submit`; the device has begun it, so that the API does not send it again while a lock is held. */
async function begin() {
  const submitted = await submit();
  await device.client.agent.start.mutate({ id: submitted.id, journalId: device.journalId });
  return submitted;
}

/** How many statements wait for a lock. */
const blocked = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(first.database.db);
  return rows[0]?.n;
};

it("notifies the caller when another waiter is about to begin where the end is reported", async () => {
  const { db } = first.database;
  // Makes the next waiter stop short of the row while a transaction holds the lock.
  await sql`create function stop_short() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(1); return null; end'`.execute(db);
  await sql`create trigger stop_short before update of announce on device_commands
    for each statement execute function stop_short()`.execute(db);
  const { id, answer } = await begin();
  const { elsewhere } = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(trx);
    const waiting = wait(id);
    await expect.poll(blocked).toBe(1);
    await end(id, toSecond);
    return { elsewhere: waiting };
  });
  await sql`drop trigger stop_short on device_commands`.execute(db);
  await expect.poll(() => toldOf(id)).toEqual(["succeeded"]);
  for (const command of [await answer, await elsewhere]) expect(command.status).toBe("succeeded");
});

it.each(["who waits", "the end"])("leaves no gap when %s comes first by a hair", async (whoIsFirst) => {
  const { id, answer } = await begin();
  const { db } = first.database;
  const call = { "who waits": () => wait(id), "the end": () => end(id) };
  const order =
    whoIsFirst === "the end" ? (["the end", "who waits"] as const) : (["who waits", "the end"] as const);
  // Both wait for the row's lock, in this order.
  const both = await db.transaction().execute(async (trx) => {
    await trx.selectFrom("device_commands").select("id").where("id", "=", id).forUpdate().execute();
    const one = call[order[0]]();
    await expect.poll(blocked).toBe(1);
    const other = call[order[1]]();
    await expect.poll(blocked).toBe(2);
    return { one, other };
  });
  for (const reply of [await both.one, await both.other, await answer])
    expect(reply).toMatchObject({ status: "succeeded" });
  await untilHeard();
  expect(toldOf(id)).toEqual(whoIsFirst === "the end" ? [] : ["succeeded"]);
});
