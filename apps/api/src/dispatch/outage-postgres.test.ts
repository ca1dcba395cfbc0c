import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { useSecondInstance } from "../testing/instance";
import { useLine } from "../testing/line";
import { failure, stockClient, useTestServer } from "../testing/server";
import { cancelAbandoned } from "./safetyRead";

// The device hangs on the first instance. The caller asks the second, whose line to the database is cut.
const first = await useTestServer();
const line = await useLine(first.database.url ?? "");
const second = await useSecondInstance(first, line.url);
const { db } = first.database;

const ada = await first.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
const connected: TestDevice[] = [];
afterEach(() => {
  line.mend();
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

/**
 * Resolves when the second instance has heard that its command was taken. The device may have the command before, through
 * the first instance.
 */
const untilTaken = (id: string) => onSecond.agent.getCommand.query({ organizationId, id });

/** Resolves with the ids of the commands that the second instance is to cancel later, once there are any. */
async function untilAbandoned() {
  const { dispatch } = second.services;
  let ids: string[] = [];
  await expect
    .poll(() => {
      const abandoned = dispatch.takeAbandoned();
      for (const each of abandoned) dispatch.cancelLater(each);
      ids = abandoned.map((each) => each.id);
      return ids.length;
    })
    .toBeGreaterThan(0);
  return ids;
}

/** How many statements with this text wait for a lock. */
const locked = async (text: string) => {
  const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(db);
  return rows.length;
};
const untilLocked = (text: string) => expect.poll(() => locked(text)).toBeGreaterThan(0);
const untilNoneLocked = (text: string) => expect.poll(() => locked(text), { timeout: 20_000 }).toBe(0);

it("tells a caller whose wait ends in an outage the id of the command, which goes on", async () => {
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

it("says that a command may have been taken when the database goes while it is handed over", async () => {
  const { id } = await online();
  const answer = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${id} for update`.execute(trx);
    const call = failure(execute(id, { waitMs: 0 }));
    await untilLocked("with given");
    line.cut();
    return call;
  });
  expect(answer).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "outcome_unknown" });
  const { possibleCommandId, commandId } = answer.data.details;
  expect(commandId).toBeUndefined();
  // PostgreSQL went on with it.
  const taken = () => ada.client.agent.getCommand.query({ organizationId, id: possibleCommandId });
  await expect
    .poll(() =>
      taken().then(
        ({ deviceId }) => deviceId,
        () => undefined,
      ),
    )
    .toBe(id);
});

/** All commands that a device was ever given. */
const commandsOf = async (deviceId: string) =>
  (await ada.client.agent.listCommands.query({ organizationId, deviceId })).map(({ id }) => id);

it("goes on with what the database had taken when it went, and takes it once", async () => {
  const { id, device } = await online();
  const call = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${id} for update`.execute(trx);
    const executing = execute(id, { waitMs: 40_000 });
    await untilLocked("with given");
    line.cut();
    return { executing };
  });
  // PostgreSQL goes on with it.
  const command = await device.event("command");
  line.mend();
  await device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, result: "done" });
  expect(await call.executing).toMatchObject({ id: command.id, status: "succeeded", result: "done" });
  expect(await commandsOf(id)).toEqual([command.id]);
}, 50_000);

it("hands over again what the database had not taken when it went", async () => {
  const { id, device } = await online();
  const call = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${id} for update`.execute(trx);
    const executing = execute(id, { waitMs: 40_000 });
    await untilLocked("with given");
    line.cut();
    // It waits no longer for that row.
    await untilNoneLocked("with given");
    line.mend();
    return { executing };
  });
  const command = await device.event("command");
  await device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, result: "done" });
  expect(await call.executing).toMatchObject({ id: command.id, status: "succeeded", result: "done" });
  expect(await commandsOf(id)).toEqual([command.id]);
}, 50_000);

it("says that nothing was taken when the database was not reached", async () => {
  const { id } = await online();
  // Whoever calls is known for some seconds: this is of the insert.
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

it("cancels what its caller hung up on during an outage once that is over", async () => {
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
  line.mend();
  const canceled = device.event("cancel");
  await expect
    .poll(async () => {
      await cancelAbandoned(second.services);
      return second.services.dispatch.takeAbandoned();
    })
    .toEqual([]);
  expect((await canceled).id).toBe(command.id);
});

it("cancels what may have been taken from a caller who hung up", async () => {
  const { id, device } = await online();
  const reached = () => onSecond.device.get.query({ organizationId, id });
  const hangUp = new AbortController();
  const abandoned = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${id} for update`.execute(trx);
    const call = execute(id, { cancelOnDisconnect: true }, onSecond, hangUp.signal).catch(() => undefined);
    await untilLocked("with given");
    hangUp.abort();
    await call;
    await reached();
    line.cut();
    const kept = await untilAbandoned();
    line.mend();
    await expect.poll(() => reached().catch(() => undefined)).toBeDefined();
    await cancelAbandoned(second.services);
    // PostgreSQL has not made it yet.
    expect(await untilAbandoned()).toEqual(kept);
    return kept;
  });
  // PostgreSQL went on with it.
  const command = await device.event("command");
  expect(abandoned).toEqual([command.id]);
  const canceled = device.event("cancel");
  await cancelAbandoned(second.services);
  expect((await canceled).id).toBe(command.id);
});

// Below what one statement after the other would take, each half a minute.
it("goes on with other devices' commands while one device's row is locked", async () => {
  const [stuck, free] = [await online(), await online()];
  const stalled = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${stuck.id} for update`.execute(trx);
    const calls = Array.from({ length: 4 }, () => failure(execute(stuck.id, { waitMs: 0 }, ada.client)));
    await untilLocked("with given");
    expect(await execute(free.id, { waitMs: 0 }, ada.client)).toMatchObject({ status: "claimed" });
    return Promise.all(calls);
  });
  expect(stalled.map(({ code }) => code)).toEqual(stalled.map(() => "TIMEOUT"));
  expect(await ada.client.agent.listCommands.query({ organizationId, deviceId: stuck.id })).toEqual([]);
}, 50_000);

it("claims a command that was locked when its device came, soon after that", async () => {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "bench",
    platform: "linux",
  });
  const command = await execute(id, { waitMs: 0, ifOffline: "queue" });
  const device = await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${command.id} for update`.execute(trx);
    const device = connectDevice(first.url, apiKey);
    connected.push(device);
    await untilLocked("with newest");
    // The stream goes on: it has a beat to bring, and others' commands.
    await untilNoneLocked("with newest");
    return device;
  });
  expect((await device.event("command")).id).toBe(command.id);
}, 50_000);

it("keeps the stream of a device whose report has come, however long its commit takes", async () => {
  const { id, device } = await online();
  const command = await execute(id, { waitMs: 0 });
  await device.event("command");
  await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${command.id} for update`.execute(trx);
    const { journalId } = device;
    const reported = device.client.agent.start.mutate({ id: command.id, journalId }).catch(() => undefined);
    // Longer than a device has to begin what it was sent.
    await Promise.race([device.event("beat", ({ n }) => n === 1), device.ended]);
    expect(device.events.at(-1)).toMatchObject({ type: "beat", n: 1 });
    void reported;
  });
});

it("asks devices for a beat soon after an outage, so that they are online again", async () => {
  const { id, device } = await online();
  await device.event("beat");
  await sql`update devices set present_until = now() - interval '1 second' where id = ${id}`.execute(db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen%' or query = 'select 1')`.execute(db);
  await expect
    .poll(async () => (await ada.client.device.get.query({ organizationId, id })).status, { timeout: 9_000 })
    .toBe("online");
});

it("renews the leases of the others while one device's row is locked", async () => {
  const [stuck, free] = [await online(), await online()];
  const epochs = new Map<string, number>();
  for (const { id, device } of [stuck, free]) epochs.set(id, (await device.event("beat")).epoch);
  await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${stuck.id} for update`.execute(trx);
    await sql`update devices set present_until = null where id = ${free.id}`.execute(db);
    const { presence } = first.services;
    for (const [id, epoch] of epochs) await presence.renew(id, epoch, false);
    await untilStatus(ada.client, organizationId, free.id, "online");
  });
}, 25_000);

it("renews the newest stream's lease when an older one's beat comes with it", async () => {
  const { id, device } = await online();
  const { epoch } = await device.event("beat");
  await sql`update devices set present_until = null where id = ${id}`.execute(db);
  const { presence } = first.services;
  const renewed = presence.renew(id, epoch, true);
  await presence.renew(id, epoch - 1, false);
  await renewed;
  expect((await ada.client.device.get.query({ organizationId, id })).status).toBe("online");
});

it("hears by a beat what has begun, though one of the commands is locked", async () => {
  const { id, device } = await online();
  const [stuck, free] = [await execute(id, { waitMs: 0 }), await execute(id, { waitMs: 0 })];
  const { epoch } = await device.event("beat");
  await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${stuck.id} for update`.execute(trx);
    await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [stuck.id, free.id] });
    expect(await ada.client.agent.getCommand.query({ organizationId, id: free.id })).toMatchObject({
      status: "running",
    });
  });
});

it("makes no key for a session that ends at that moment", async () => {
  const bob = await first.signUp("Bob");
  const made = await db.transaction().execute(async (trx) => {
    await sql`select id from users where id = ${bob.user.id} for update`.execute(trx);
    const call = failure(
      bob.client.apiKey.create.mutate({ organizationId: bob.organizationId, name: "late" }),
    );
    await untilLocked("");
    await sql`delete from sessions where user_id = ${bob.user.id}`.execute(trx);
    return { call };
  });
  expect(await made.call).toMatchObject({ code: "UNAUTHORIZED" });
  const { rows } = await sql`select id from api_keys where user_id = ${bob.user.id}`.execute(db);
  expect(rows).toEqual([]);
});
