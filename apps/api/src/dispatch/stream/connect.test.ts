import { resolvePrincipal } from "@grove/auth";
import { firstIdAt, newId } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { begin, type TestDevice, untilStatus } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { failure, useTestServer } from "../../testing/server";
import { sweep } from "../end/sweep";
import { MIN_AGENT_VERSION } from "./agentVersion";
import { deliver } from "./deliver";
import { wakeStreams } from "./wakeStreams";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { register, connect, online, execute } = useOwnDevices(server, ada);

const read = (id: string) => ada.client.device.get.query({ organizationId, id });

/** Many commands with the same time. */
const fillQueue = (deviceId: string, count: number) =>
  sql`insert into device_commands (id, organization_id, device_id, tool, params, requested_by, principal, timeout_ms,
      queue_expires_at)
    select (${newId().slice(0, 14)} || '7' || substr(gen_random_uuid()::text, 16))::uuid, ${organizationId}, ${deviceId}, 'list_projects', '{}', ${ada.user.id}, 'user:x', 60000,
      now() + interval '1 hour'
    from generate_series(1, ${count}::integer)`.execute(db);

describe("an agent that is too old", () => {
  it("is refused with advice, and is offline for that reason", async () => {
    const { id, apiKey } = await register();
    const old = connect(apiKey, { agentVersion: "0.0.9" });
    expect(await failure(old.ended.then((error) => Promise.reject(error)))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "outdated_agent",
      data: { details: { agentVersion: "0.0.9", leastVersion: MIN_AGENT_VERSION } },
    });
    expect(old.events).toEqual([]);
    expect(await read(id)).toMatchObject({
      status: "offline",
      offlineReason: "outdated_agent",
      agentVersion: "0.0.9",
    });
    expect(await failure(execute(id))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "device_offline",
      message: expect.stringMatching(
        /\(outdated_agent, last seen .*\)\. Update grove-device on that machine\.$/,
      ),
      data: { details: { offlineReason: "outdated_agent" } },
    });

    // Once updated, the device agent takes the command that was queued for it.
    const queued = await execute(id, { ifOffline: "queue" });
    const updated = connect(apiKey, { agentVersion: MIN_AGENT_VERSION });
    expect((await updated.event("command")).id).toBe(queued.id);
    await untilStatus(ada.client, organizationId, id, "online");
    expect(await read(id)).toMatchObject({ offlineReason: null, agentVersion: MIN_AGENT_VERSION });
  });

  it("takes nothing from the machine that is online on the same key", async () => {
    const { id, apiKey } = await register();
    const device = connect(apiKey);
    await untilStatus(ada.client, organizationId, id, "online");
    await connect(apiKey, { agentVersion: "0.0.9" }).ended;
    expect(await read(id)).toMatchObject({ status: "online", agentVersion: "1.0.0-test" });
    const { id: commandId } = await execute(id);
    expect((await device.event("command")).id).toBe(commandId);
  });
});

describe("a device's journal", () => {
  const commandOf = (id: string) => ada.client.agent.getCommand.query({ organizationId, id });
  const epochOf = async (device: TestDevice) => (await device.event("beat")).epoch;
  /** A device that has begun a command, and disconnects. */
  async function interrupted() {
    const { id, apiKey, device } = await online();
    const begun = await execute(id);
    await device.event("command");
    await begin(begun, device);
    const epoch = await epochOf(device);
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    const back = (journal: { epoch: number; newestBegun?: string }) =>
      connect(apiKey, { journalId: device.journalId, journal });
    return { id, begun, epoch, journalId: device.journalId, back };
  }

  it("is sent what it has not settled when it has the epoch of the last stream", async () => {
    const { begun, epoch, back } = await interrupted();
    expect((await back({ epoch }).event("command")).id).toBe(begun.id);
    expect((await commandOf(begun.id)).status).toBe("running");
  });

  it("counts as another journal if it lacks a stream that the device had answered", async () => {
    const { id, begun, epoch, back } = await interrupted();
    const queued = await execute(id, { ifOffline: "queue" });
    const device = back({ epoch: epoch - 1 });
    // The device never began the command, which was not sent to it.
    expect((await device.event("command")).id).toBe(queued.id);
    expect(await commandOf(begun.id)).toMatchObject({
      status: "lost",
      error: { reason: "device_replaced", message: expect.stringContaining("older state of its journal") },
    });
    const next = await epochOf(device);
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    expect((await back({ epoch: next }).event("command")).id).toBe(queued.id);
  });

  it("may lack a stream whose first heartbeat the device never answered", async () => {
    const { begun, epoch, journalId, back, id } = await interrupted();
    const { apiKey } = await ada.client.device.rotateKey.mutate({ organizationId, id });
    const mute = connect(apiKey, { journalId, journal: { epoch }, answersHeartbeats: false });
    await mute.event("beat");
    mute.disconnect();
    await mute.ended;
    const device = connect(apiKey, { journalId, journal: { epoch } });
    expect((await device.event("command")).id).toBe(begun.id);
    expect(back).toBeDefined();
  });

  it("shows that the database went back: what it may have been given since is lost, the rest is run", async () => {
    const { id, begun, epoch, back } = await interrupted();
    const before = await execute(id, { ifOffline: "queue" });
    // The device took and ran it in the time that the database has lost.
    const lostEpoch = epoch + 5;
    const after = await execute(id, { ifOffline: "queue" });
    const device = back({ epoch: lostEpoch, newestBegun: before.id });
    expect((await device.event("command")).id).toBe(after.id);
    for (const { id: lost } of [begun, before])
      expect(await commandOf(lost)).toMatchObject({
        status: "lost",
        error: { reason: "database_restored", message: expect.stringContaining("Check the machine") },
      });
    expect(await epochOf(device)).toBeGreaterThan(lostEpoch);
  });

  it("does not count for a client that has none", async () => {
    const { id, apiKey, device } = await online();
    const sent = await execute(id);
    await device.event("command");
    await begin(sent, device);
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    expect((await connect(apiKey, { journalId: device.journalId }).event("command")).id).toBe(sent.id);
  });
});

describe("a device's stream", () => {
  it("ends when the database was restored to a time before it", async () => {
    const { id, device } = await online();
    await sql`update devices set epoch = epoch - 1 where id = ${id}`.execute(db);
    await wakeStreams(server.services);
    await device.ended;
  });

  it("continues when it is the newest", async () => {
    const { id, device } = await online();
    await wakeStreams(server.services);
    const { id: commandId } = await execute(id);
    expect((await device.event("command")).id).toBe(commandId);
  });

  it("replaces no other when its device disconnected before it began", async () => {
    const { id, apiKey, device } = await online();
    const epoch = async () =>
      (await db.selectFrom("devices").select("epoch").where("id", "=", id).executeTakeFirst())?.epoch;
    const before = await epoch();
    const principal = await resolvePrincipal(server.services.auth, apiKey);
    if (principal?.kind !== "device") throw new Error("This is no device's key.");
    const input = { journalId: device.journalId, agentVersion: "1.0.0", capabilities: [] };
    const late = deliver(server.services, principal, input, AbortSignal.abort(), async () => true);
    expect(await late.next()).toEqual({ done: true, value: undefined });
    expect(await epoch()).toBe(before);
  });
});

describe("two machines on one key", () => {
  const reports = async (deviceId: string) =>
    (await ada.client.organization.listAuditEvents.query({ organizationId })).filter(
      ({ action, targetId }) => action === "device.takesTurns" && targetId === deviceId,
    );

  it("are reported once they take turns, and once an hour", async () => {
    const { id, apiKey } = await register();
    const [one, other] = [newId(), newId()];
    const turn = async (journalId: string) => {
      const device = connect(apiKey, { journalId });
      await device.event("beat");
      device.disconnect();
    };
    // A second connection of the same machine does not count, and neither does a machine that replaced the other.
    for (const journalId of [one, one, other, other]) await turn(journalId);
    expect(await reports(id)).toEqual([]);
    for (const journalId of [one, other, one]) await turn(journalId);
    expect(await reports(id)).toMatchObject([
      { actorKind: "device", actorId: id, targetType: "device", metadata: { message: expect.any(String) } },
    ]);
    await sql`update audit_events set created_at = created_at - interval '61 minutes' where target_id = ${id}`.execute(
      db,
    );
    await turn(other);
    expect(await reports(id)).toHaveLength(2);
  });

  it("are not reported when a home was moved and moved back later", async () => {
    const { id, apiKey } = await register();
    const [one, other] = [newId(), newId()];
    for (const journalId of [one, other, one]) {
      const device = connect(apiKey, { journalId });
      await device.event("beat");
      device.disconnect();
      await sql`update devices set journal_changed_at = journal_changed_at - interval '61 minutes' where id = ${id}`.execute(
        db,
      );
    }
    expect(await reports(id)).toEqual([]);
  });
});

it("sends everything open to its journal, in order; for canceled commands only the cancellation", async () => {
  const { id, apiKey } = await register();
  const journalId = newId();
  await fillQueue(id, 230);
  const queued = await db
    .selectFrom("device_commands")
    .select("id")
    .where("device_id", "=", id)
    .orderBy("id")
    .execute();
  const ids = queued.map((row) => row.id);
  const before = connect(apiKey, { journalId });
  await before.event("command", (event) => event.id === ids.at(-1));
  for (const canceled of [ids[3], ids[150]])
    await ada.client.agent.cancelCommand.mutate({ organizationId, id: canceled ?? "" });
  before.disconnect();
  const after = connect(apiKey, { journalId });
  await after.event("command", (event) => event.id === ids.at(-1));
  const sent = after.events.flatMap((event) =>
    event.type === "command" || event.type === "cancel" ? [`${event.type} ${event.id}`] : [],
  );
  expect(sent).toEqual(
    ids.map((commandId, n) => `${n === 3 || n === 150 ? "cancel" : "command"} ${commandId}`),
  );
});

it("reports to the device which commands were settled without it, so that it can forget them", async () => {
  const { id, apiKey } = await register();
  const device = connect(apiKey);
  await untilStatus(ada.client, organizationId, id, "online");
  const sent = await execute(id, { timeoutMs: 1_000 });
  await device.event("command");
  await device.client.agent.start.mutate({ id: sent.id, journalId: device.journalId });
  await sql`update device_commands set started_at = now() - interval '1 minute' where id = ${sent.id}`.execute(
    db,
  );
  await sweep(server.services);
  expect(await device.event("settled")).toEqual({ type: "settled", ids: [sent.id] });
  expect(device.events.filter(({ type }) => type === "cancel")).toEqual([]);
});

it("refuses a command when the device's queue is full, and takes more when it is shorter", async () => {
  const { id } = await register();
  await fillQueue(id, 999);
  const last = await execute(id, { ifOffline: "queue" });
  const call = () => execute(id, { ifOffline: "queue" });
  expect(await failure(call())).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    reason: "queue_full",
    data: { details: { open: 1_000 } },
  });
  await ada.client.agent.cancelCommand.mutate({ organizationId, id: last.id });
  expect((await call()).status).toBe("queued");
});

it("counts commands that have waited for weeks as well", async () => {
  const { id } = await register();
  await fillQueue(id, 1_000);
  const threeWeeksAgo = Date.now() - 21 * 86_400_000;
  await sql`update device_commands set id = (${firstIdAt(new Date(threeWeeksAgo)).slice(0, 14)}
    || '7' || substr(gen_random_uuid()::text, 16))::uuid where device_id = ${id}`.execute(db);
  expect(await failure(execute(id, { ifOffline: "queue" }))).toMatchObject({ reason: "queue_full" });
});
