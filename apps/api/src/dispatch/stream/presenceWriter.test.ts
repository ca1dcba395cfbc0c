import { newId } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { isHeldByInstance } from "../../devices/presence";
import { loseInstance, type TestDevice, untilStatus } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { failure, useTestServer } from "../../testing/server";
import { heartbeatMsOf } from "./heartbeatClock";
import { wakeStreams } from "./wakeStreams";

// Renewed often; the lease runs out only when a test ends it.
const server = await useTestServer({ lease: { everyMs: 50, holdsMs: 60_000 } });
const { services } = server;
const { db } = server.database;
const { lease, dispatch } = services;
const { streams, presence } = dispatch;
const ada = await server.signUp("Ada");
const { organizationId, client } = ada;
const { register, connect, execute, command } = useOwnDevices(server, ada);

const read = (id: string) => client.device.get.query({ organizationId, id });
/** Answers the newest heartbeat. */
const answer = (device: TestDevice) => {
  const heartbeat = device.events.findLast((event) => event.type === "beat");
  if (!heartbeat) throw new Error("There was no heartbeat.");
  return device.client.agent.heartbeat.mutate({ epoch: heartbeat.epoch, beat: heartbeat.n, running: [] });
};

/**
 * A device that has answered its first heartbeat, and whose key is known to be valid. Further heartbeats wait for a
 * test.
 */
async function known() {
  const { id, apiKey } = await register();
  const device = connect(apiKey, { answersHeartbeats: false });
  const { epoch } = await device.event("beat");
  await answer(device);
  const local = () => {
    const found = streams.at(id, epoch);
    if (!found) throw new Error("The stream has ended.");
    return found;
  };
  await expect.poll(() => local().isProven && local().isPresent).toBe(true);
  return { id, device, apiKey, epoch, local };
}

/** As if the process had been paused for longer than its lease. */
const loseLease = () => sql`update api_instances set lease_until = now() - interval '1 ms'`.execute(db);

it("answers heartbeats without a statement, and with the time of the next one", async () => {
  const { device } = await known();
  expect(await device.event("beat")).toMatchObject({ n: 0, nextMs: 15_000 });
  const about = () => server.statements.filter(({ sql: text }) => text.includes("devices")).length;
  const before = about();
  for (let n = 0; n < 5; n++) expect(await answer(device)).toEqual({ canceled: [], lost: [] });
  expect(about()).toBe(before);
});

it("asks for heartbeats less often when there are very many streams", () => {
  const counts = [1, 3_750, 5_000, 10_000, 100_000];
  expect(counts.map((count) => heartbeatMsOf(count))).toEqual([15_000, 15_000, 20_000, 40_000, 60_000]);
});

it("refuses a heartbeat as soon as the key is announced as revoked, and otherwise within a minute", async () => {
  const [announced, unheard] = [await known(), await known()];
  await client.device.revoke.mutate({ organizationId, id: announced.id });
  const revokedAt = performance.now();
  const code = () =>
    answer(announced.device).then(
      () => "OK",
      (error) => error.data.code,
    );
  await expect.poll(code, { interval: 1 }).toBe("UNAUTHORIZED");
  const ms = performance.now() - revokedAt;
  process.stdout.write(`A revoked key's heartbeat was refused after ${Math.round(ms)} ms.\n`);
  // A proof that is valid for a minute would let the heartbeat pass for far longer.
  expect(ms).toBeLessThan(3_000);

  await sql`update devices set revoked_at = now() where id = ${unheard.id}`.execute(db);
  unheard.local().provenAt -= 60_000;
  expect(await failure(answer(unheard.device))).toMatchObject({ code: "UNAUTHORIZED" });
});

it("has one read for all streams prove their keys", async () => {
  const [valid, revoked] = [await known(), await known()];
  await sql`update devices set revoked_at = now() where id = ${revoked.id}`.execute(db);
  const before = valid.local().provenAt;
  await wakeStreams(services);
  expect(valid.local().provenAt).toBeGreaterThan(before);
  await revoked.device.event("revoked");
});

describe("an instance whose lease has run out", () => {
  it("claims nothing and keeps no device online until each has answered again", async () => {
    const { id, device, local } = await known();
    const former = lease.id;
    await loseLease();
    await device.event("beat", ({ n }) => n === 1);
    expect(lease.id).not.toBe(former);
    expect(await read(id)).toMatchObject({ status: "offline", offlineReason: "unresponsive" });
    const { id: commandId } = await execute(id, { ifOffline: "queue" });
    // The device's stream was notified, and leaves the command in the queue.
    await expect.poll(() => local().inbox.isQueued).toBe(true);
    expect((await command(commandId)).status).toBe("queued");
    await answer(device);
    await untilStatus(client, organizationId, id, "online");
    expect((await device.event("command")).id).toBe(commandId);
  });

  it("ends the stream of a device that has moved to another instance, and leaves that one's presence unchanged", async () => {
    const { id, device, epoch } = await known();
    const { id: commandId } = await execute(id, { ifOffline: "queue", waitMs: 0 });
    await device.event("command");
    const other = newId();
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto("api_instances")
        .values({ id: other, lease_until: "infinity", version: "0.0.0" })
        .execute();
      await sql`update devices set epoch = epoch + 1, present_epoch = epoch + 1, instance_id = ${other}
        where id = ${id}`.execute(trx);
      await sql`update api_instances set lease_until = now() - interval '1 ms' where id = ${lease.id}`.execute(
        trx,
      );
    });
    // Before the process notices, if it has not yet, and after that.
    await answer(device);
    await Promise.race([device.ended, device.event("beat", ({ n }) => n === 1).then(() => answer(device))]);
    await device.ended;
    expect(
      await db.selectFrom("devices").select(["epoch", "instance_id"]).where("id", "=", id).execute(),
    ).toEqual([{ epoch: epoch + 1, instance_id: other }]);
    expect((await read(id)).status).toBe("online");
    expect((await command(commandId)).attempt).toBe(1);
    await db.deleteFrom("api_instances").where("id", "=", other).execute();
    expect((await read(id)).status).toBe("offline");
  });
});

describe("a stream", () => {
  it("reports to a device that it is revoked, even when its first answer was not written yet", async () => {
    const { id, apiKey } = await register();
    const device = connect(apiKey, { answersHeartbeats: false });
    const { epoch } = await device.event("beat");
    // As if the announcement had been lost.
    await sql`update devices set revoked_at = now() where id = ${id}`.execute(db);
    await presence.answered(id, epoch, true);
    await device.event("revoked");
  });

  it("ends when its device has answered no heartbeat for three of them, and was last seen before that", async () => {
    const { id, device, local } = await known();
    const began = Date.now();
    local().answeredAt -= 45_000;
    local().inbox.wakeUp.wake();
    await device.ended;
    await untilStatus(client, organizationId, id, "offline");
    const { offlineReason, lastSeenAt } = await read(id);
    expect(offlineReason).toBe("unresponsive");
    // The row has the time of the first heartbeat, which was written a moment ago.
    expect(Date.parse(lastSeenAt ?? "")).toBeLessThan(began);
  });

  it("keeps its device online for a short while when it is asked to reconnect", async () => {
    const [away, back] = [await known(), await known()];
    for (const { local } of [away, back]) presence.disconnects.expectReconnect(local().stream);
    await presence.disconnects.writeDue();
    expect((await read(away.id)).status).toBe("online");
    connect(back.apiKey, { journalId: back.device.journalId });
    await back.device.ended;
    await presence.disconnects.writeDue(performance.now() + 15_000);
    expect((await read(away.id)).offlineReason).toBe("disconnected");
    await untilStatus(client, organizationId, back.id, "online");
  });

  it("finds by the fallback poll that its device has answered to another instance", async () => {
    const { id, local } = await known();
    await loseInstance(db, id);
    local().answeredAt -= 40_000;
    const before = local().answeredAt;
    // As if the other instance had written it.
    await sql`update devices set last_seen_at = now(), present_until = now() + interval '45 seconds'
      where id = ${id}`.execute(db);
    await wakeStreams(services);
    expect(local().answeredAt).toBeGreaterThan(before);
    const heldBy = db.selectFrom("devices").select(isHeldByInstance.as("held")).where("id", "=", id);
    await expect.poll(() => heldBy.executeTakeFirst()).toEqual({ held: true });
  });
});
