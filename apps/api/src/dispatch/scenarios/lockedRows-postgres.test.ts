import { sql } from "kysely";
import { expect, it } from "vitest";
import { loseInstance, type TestDevice, untilStatus } from "../../testing/device";
import { watchLocks } from "../../testing/locks";
import { useOwnDevices } from "../../testing/ownDevices";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db } = server.database;
const { untilLocked, untilNoneLocked } = watchLocks(db);
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { register, connect, online, execute, command } = useOwnDevices(server, ada);

// The time limit is below that of one statement after another, each half a minute.
it("continues with other devices' commands while one device's row is locked", async () => {
  // A device that begins nothing would count as unresponsive after some seconds.
  const complete = ({ id }: { id: string }, { client, journalId }: TestDevice) =>
    client.agent.complete.mutate({ id, journalId, result: { projects: [] } });
  const [stuck, free] = [await online(), await online({ run: complete })];
  const stalled = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${stuck.id} for update`.execute(trx);
    const calls = Array.from({ length: 40 }, () => failure(execute(stuck.id)));
    // Among the others' retries, in batches with them.
    for (let n = 0; n < 20; n++) expect(await execute(free.id)).toMatchObject({ status: "claimed" });
    await untilNoneLocked("with given");
    return Promise.all(calls);
  });
  const busy = { code: "CONFLICT", reason: "device_busy" };
  for (const error of stalled) expect(error).toMatchObject(busy);
  expect(await ada.client.agent.listCommands.query({ organizationId, deviceId: stuck.id })).toEqual([]);
}, 50_000);

it("takes a command whose device is locked for a moment", async () => {
  const { id } = await online();
  const calls = await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${id} for update`.execute(trx);
    // A submission that made no row reads why.
    const refusals = () =>
      server.statements.filter(({ sql: text }) => text.includes('"offline_reason"')).length;
    const before = refusals();
    const calls = [execute(id), execute(id)];
    await expect.poll(refusals).toBeGreaterThan(before + 1);
    return calls;
  });
  for (const command of await Promise.all(calls)) expect(command.status).toBe("claimed");
});

it("claims a command that was locked when its device connected, soon after the lock ends", async () => {
  const { id, apiKey } = await register();
  const sent = await execute(id, { ifOffline: "queue" });
  const device = await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${sent.id} for update`.execute(trx);
    const device = connect(apiKey);
    await untilLocked("with newest");
    // The stream continues: it has a heartbeat to send, and other commands.
    await untilNoneLocked("with newest");
    return device;
  });
  expect((await device.event("command")).id).toBe(sent.id);
}, 50_000);

it("keeps the stream of a device whose report has arrived, however long its commit takes", async () => {
  const { id, device } = await online();
  const sent = await execute(id);
  await device.event("command");
  await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${sent.id} for update`.execute(trx);
    const { journalId } = device;
    const reported = device.client.agent.start.mutate({ id: sent.id, journalId }).catch(() => undefined);
    // Longer than a device may take to begin a command.
    await Promise.race([device.event("beat", ({ n }) => n === 1), device.ended]);
    expect(device.events.at(-1)).toMatchObject({ type: "beat", n: 1 });
    void reported;
  });
});

it("brings the others online while one device's row is locked", async () => {
  const [stuck, free] = [await online(), await online()];
  const epochs = new Map<string, number>();
  for (const { id, device } of [stuck, free]) epochs.set(id, (await device.event("beat")).epoch);
  await db.transaction().execute(async (trx) => {
    await sql`select id from devices where id = ${stuck.id} for update`.execute(trx);
    await loseInstance(db, free.id);
    const { presence, streams } = server.services.dispatch;
    const answered = [...epochs].map(([id, epoch]) => {
      Object.assign(streams.at(id, epoch) ?? {}, { isPresent: false });
      return presence.answered(id, epoch, false);
    });
    await Promise.allSettled(answered);
    await untilStatus(ada.client, organizationId, free.id, "online");
  });
}, 25_000);

it("learns from a heartbeat which commands have begun, though one of them is locked", async () => {
  const { id, device } = await online();
  const [stuck, free] = [await execute(id), await execute(id)];
  const { epoch } = await device.event("beat");
  await db.transaction().execute(async (trx) => {
    await sql`select id from device_commands where id = ${stuck.id} for update`.execute(trx);
    await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [stuck.id, free.id] });
    expect((await command(free.id)).status).toBe("running");
  });
});
