import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { connectDevice, loseInstance, type TestDevice, untilStatus } from "../../testing/device";
import { useSecondInstance } from "../../testing/instance";
import { useLine } from "../../testing/line";
import { watchLocks } from "../../testing/locks";
import { failure, stockClient, useTestServer } from "../../testing/server";
import { cancelAbandoned } from "../submit/cancelAbandoned";

// The device is connected to the first instance. The caller uses the second, whose connection to the database is cut.
const first = await useTestServer();
const line = await useLine(first.database.url ?? "");
const second = await useSecondInstance(first, line.url);
const { db } = first.database;
const { untilLocked, untilNoneLocked } = watchLocks(db);

const ada = await first.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
const connected: TestDevice[] = [];
afterEach(() => {
  line.repair();
  for (const device of connected.splice(0)) device.disconnect();
});

async function online() {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "bench",
    platform: "linux",
  });
  const device = connectDevice(first.url, apiKey);
  connected.push(device);
  await untilStatus(ada.client, organizationId, id, "online");
  return { id, device };
}

const execute = (deviceId: string, more: object = {}, client = onSecond, signal?: AbortSignal) =>
  client.agent.execute.mutate(
    { organizationId, deviceId, tool: "list_projects", params: {}, ...more },
    { signal },
  );

const inserting = vi.spyOn(second.services.dispatch, "insert");
/**
 * Resolves when the second instance knows that its command was inserted. The device may have the command earlier,
 * through the first instance.
 */
const untilTaken = (id: string) =>
  expect
    .poll(() =>
      inserting.mock.settledResults.some(({ type, value }) => type === "fulfilled" && value?.id === id),
    )
    .toBe(true);

/** All commands that a device was ever given. */
const commandsOf = async (deviceId: string) =>
  (await ada.client.agent.listCommands.query({ organizationId, deviceId })).map(({ id }) => id);

/** Resolves with the ids of the commands that the second instance will cancel later, once there are any. */
async function untilAbandoned() {
  const { dispatch } = second.services;
  let ids: string[] = [];
  await expect
    .poll(() => {
      const abandoned = dispatch.abandoned.take();
      for (const each of abandoned) dispatch.abandoned.add(each);
      ids = abandoned.map((each) => each.id);
      return ids.length;
    })
    .toBeGreaterThan(0);
  return ids;
}

// Lifts the limit of an insert's wait for a lock, so that a test may take as long as it likes.
await sql`create function stall() returns trigger language plpgsql as $$ begin
  perform set_config('lock_timeout', '0', true);
  perform pg_advisory_xact_lock_shared(1);
  return new;
end $$`.execute(db);
await sql`create trigger stall before insert on device_commands for each row execute function stall()`.execute(
  db,
);

/** Submits a command, and runs `work` while PostgreSQL executes its insert. */
const duringInsert = <Result>(submit: () => Promise<unknown>, work: () => Result) =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(trx);
    const call = submit();
    // Awaited later.
    call.catch(() => undefined);
    await untilLocked("with given");
    return { call, result: await work() };
  });

it("gives a caller whose wait ends in an outage the id of the command, which continues", async () => {
  const { id, device } = await online();
  const call = failure(execute(id, { waitMs: 3_000 }));
  const command = await device.event("command");
  await untilTaken(command.id);
  line.cut();
  expect(await call).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    reason: "database_unavailable",
    data: { details: { commandId: command.id } },
  });
});

it("reports that a command may exist when the database becomes unavailable during its insert", async () => {
  const { id } = await online();
  const { call } = await duringInsert(
    () => execute(id, { waitMs: 0 }),
    () => line.cut(),
  );
  const answer = await failure(call);
  expect(answer).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "outcome_unknown" });
  const { possibleCommandId, commandId } = answer.data.details;
  expect(commandId).toBeUndefined();
  // PostgreSQL continued the insert.
  await expect.poll(() => commandsOf(id)).toEqual([possibleCommandId]);
});

/** Lets the device end its only command, for which the caller waits. */
async function untilDone({ id, device }: Awaited<ReturnType<typeof online>>, call: Promise<unknown>) {
  const { id: commandId } = await device.event("command");
  await device.client.agent.complete.mutate({ id: commandId, journalId: device.journalId, result: "done" });
  expect(await call).toMatchObject({ id: commandId, status: "succeeded", result: "done" });
  expect(await commandsOf(id)).toEqual([commandId]);
}

it("continues with a command that the database took before it became unreachable, and takes it once", async () => {
  const own = await online();
  const { call } = await duringInsert(
    () => execute(own.id, { waitMs: 40_000 }),
    () => {
      line.cut();
      // The command is submitted again while PostgreSQL still executes the first insert.
      line.repair();
    },
  );
  await untilDone(own, call);
}, 50_000);

it("submits again a command that the database had not taken when it became unreachable", async () => {
  const own = await online();
  const { call } = await duringInsert(
    () => execute(own.id, { waitMs: 40_000 }),
    async () => {
      line.cut();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`.execute(db);
      await untilNoneLocked("with given");
      line.repair();
    },
  );
  await untilDone(own, call);
}, 50_000);

it("reports that nothing was taken when the database was not reached", async () => {
  const { id } = await online();
  // The caller's key is cached for some seconds, so that only the insert meets the outage.
  const key = await ada.client.apiKey.create.mutate({ organizationId, name: "known" });
  const client = stockClient(second.url, key.key);
  await expect
    .poll(() =>
      client.device.list.query({ organizationId }).then(
        (devices) => devices.length,
        () => 0,
      ),
    )
    .toBeGreaterThan(0);
  line.cut();
  const answer = await failure(execute(id, { waitMs: 0, idempotencyKey: newId() }, client));
  expect(answer).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

it("cancels a command after an outage during which its caller disconnected", async () => {
  const { id, device } = await online();
  const hangUp = new AbortController();
  const call = execute(id, { cancelOnDisconnect: true }, onSecond, hangUp.signal).catch(() => undefined);
  const command = await device.event("command");
  await untilTaken(command.id);
  line.cut();
  hangUp.abort();
  await call;
  expect(await untilAbandoned()).toEqual([command.id]);
  await cancelAbandoned(second.services);
  line.repair();
  const canceled = device.event("cancel");
  await expect
    .poll(async () => {
      await cancelAbandoned(second.services);
      return second.services.dispatch.abandoned.take();
    })
    .toEqual([]);
  expect((await canceled).id).toBe(command.id);
});

it("cancels a command that may have been taken after its caller disconnected", async () => {
  const { id, device } = await online();
  const reached = () => onSecond.device.get.query({ organizationId, id });
  const hangUp = new AbortController();
  const { result: abandoned } = await duringInsert(
    () => execute(id, { cancelOnDisconnect: true }, onSecond, hangUp.signal),
    async () => {
      hangUp.abort();
      await reached();
      line.cut();
      const kept = await untilAbandoned();
      line.repair();
      await expect.poll(() => reached().catch(() => undefined)).toBeDefined();
      await cancelAbandoned(second.services);
      // PostgreSQL has not made the row yet.
      expect(await untilAbandoned()).toEqual(kept);
      return kept;
    },
  );
  // PostgreSQL continued the insert. The instance also cancels by itself from time to time, so the device may never get
  // the command, only its cancellation.
  await expect.poll(() => commandsOf(id)).toEqual(abandoned);
  await cancelAbandoned(second.services);
  expect([(await device.event("cancel")).id]).toEqual(abandoned);
});

it("asks devices for a heartbeat soon after an outage, so that they are online again", async () => {
  const { id, device } = await online();
  await device.event("beat");
  await loseInstance(db, id);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen%' or query like 'do $$%')`.execute(db);
  await expect
    .poll(async () => (await ada.client.device.get.query({ organizationId, id })).status, { timeout: 9_000 })
    .toBe("online");
});

it("takes a device offline that disconnected while its instance had no database", async () => {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(second.url, apiKey);
  await untilStatus(ada.client, organizationId, id, "online");
  line.cut();
  device.disconnect();
  await expect.poll(() => second.services.dispatch.streams.count).toBe(0);
  expect((await ada.client.device.get.query({ organizationId, id })).status).toBe("online");
  line.repair();
  const status = async () => (await ada.client.device.get.query({ organizationId, id })).offlineReason;
  await expect.poll(status, { timeout: 25_000 }).toBe("disconnected");
}, 40_000);
