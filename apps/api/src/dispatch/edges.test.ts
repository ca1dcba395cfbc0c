import { type Principal, resolvePrincipal, type UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { addMember } from "../testing/fixtures";
import { useTestServer } from "../testing/server";
import { deliver } from "./deliver";
import { wakeStreams } from "./safetyRead";
import { execute } from "./submit";
import { sweep } from "./sweep";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

const register = () =>
  ada.client.device.register.mutate({ organizationId, name: "bench", platform: "linux" });

async function online() {
  const { id, apiKey } = await register();
  const device = connectDevice(server.url, apiKey);
  connected.push(device);
  await untilStatus(ada.client, organizationId, id, "online");
  return { id, apiKey, device };
}

const submit = (deviceId: string, more: object = {}) =>
  ada.client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
    waitMs: 0,
    ...more,
  });

const read = (id: string) => ada.client.agent.getCommand.query({ organizationId, id });

/** Sent, not begun, given back by the sweeper, and not taken again. */
async function givenBack() {
  const { id, apiKey, device } = await online();
  const { id: commandId } = await submit(id);
  await device.event("command");
  await sql`update device_commands set claimed_at = now() - interval '2 minutes' where id = ${commandId}`.execute(
    db,
  );
  // As if the stream had broken in between.
  await sql`update devices set epoch = epoch + 1 where id = ${id}`.execute(db);
  await sweep(server.services);
  expect((await read(commandId)).status).toBe("queued");
  return { id, apiKey, device, commandId };
}

const principalOf = async (secret: string): Promise<Principal> => {
  const principal = await resolvePrincipal(server.services.auth, secret);
  if (!principal) throw new Error("Nobody has this secret.");
  return principal;
};

describe("what a device still says of a command that was settled without it", () => {
  const late = async (commandId: string, { client, journalId }: TestDevice, report: object) => {
    await client.agent.complete.mutate({ id: commandId, journalId, ...report } as never);
    return (await read(commandId)).lateResult;
  };

  it("is kept when the command had expired after it was sent", async () => {
    const { commandId, device } = await givenBack();
    await sql`update device_commands set queue_expires_at = now() - interval '1 second' where id = ${commandId}`.execute(
      db,
    );
    await sweep(server.services);
    expect((await read(commandId)).status).toBe("expired");
    expect(await late(commandId, device, { result: "done" })).toEqual({ result: "done" });
  });

  it("is kept when the command was given up after it was sent three times", async () => {
    const { id, device } = await online();
    const { id: commandId } = await submit(id);
    await device.event("command");
    await sql`update device_commands set attempt = 3, claimed_at = now() - interval '2 minutes'
      where id = ${commandId}`.execute(db);
    await sweep(server.services);
    expect((await read(commandId)).error?.reason).toBe("not_started");
    const error = { reason: "branch_exists", message: "There is one." };
    expect(await late(commandId, device, { error })).toEqual({ error });
  });

  it("is kept when the command was lost, and the device had canceled it", async () => {
    const { commandId, apiKey, device } = await givenBack();
    const other = connectDevice(server.url, apiKey);
    connected.push(other);
    await other.event("beat");
    expect((await read(commandId)).status).toBe("lost");
    expect(await late(commandId, device, { canceled: true })).toEqual({ canceled: true });
  });

  it("is no second mention of what it had said already", async () => {
    const { id, device } = await online();
    const { id: commandId } = await submit(id);
    await device.event("command");
    const error = { reason: "timed_out", message: "Its time was up." };
    expect(await late(commandId, device, { error })).toBeNull();
    expect(await read(commandId)).toMatchObject({ status: "timed_out", error });
    expect(await late(commandId, device, { error })).toBeNull();
  });
});

describe("a command that was given back to the queue", () => {
  it("is canceled by the device that may have it, also when that comes back later", async () => {
    const { commandId, apiKey, device } = await givenBack();
    const canceled = await ada.client.agent.cancelCommand.mutate({ organizationId, id: commandId });
    expect(canceled.status).toBe("queued");
    const back = connectDevice(server.url, apiKey, { journalId: device.journalId });
    connected.push(back);
    expect((await back.event("cancel")).id).toBe(commandId);
    expect(back.events.filter(({ type }) => type === "command")).toEqual([]);
    const { client, journalId } = back;
    expect(await client.agent.complete.mutate({ id: commandId, journalId, canceled: true })).toEqual({
      status: "canceled",
    });
  });

  it("is lost, not canceled, when its device is revoked", async () => {
    const { id, commandId } = await givenBack();
    await ada.client.device.revoke.mutate({ organizationId, id });
    expect(await read(commandId)).toMatchObject({ status: "lost", error: { reason: "device_revoked" } });
  });

  it("is not canceled at once when its device is no longer shared", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const { id, commandId } = await givenBack();
    await sql`update device_commands set requested_by = ${bob.user.id} where id = ${commandId}`.execute(db);
    await ada.client.device.update.mutate({ organizationId, id, shared: false });
    const { rows } = await sql`select status, cancel_requested_at is not null as asked from device_commands
      where id = ${commandId}`.execute(db);
    expect(rows).toEqual([{ status: "queued", asked: true }]);
  });
});

describe("who lost access", () => {
  it("is refused though it was looked up before, and nothing is queued", async () => {
    const { id } = await register();
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const principal = (await principalOf(bob.token)) as UserPrincipal;
    await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    await db.updateTable("devices").set({ shared: true }).where("id", "=", id).execute();
    const call = execute(
      server.services,
      principal,
      {
        organizationId,
        deviceId: id,
        tool: "list_projects",
        params: {},
        waitMs: 0,
        ifOffline: "queue",
        queueTtlMs: 60_000,
        cancelOnDisconnect: false,
      },
      undefined,
    );
    await expect(call).rejects.toMatchObject({ code: "FORBIDDEN", reason: "not_a_member" });
    expect(await ada.client.agent.listCommands.query({ organizationId, deviceId: id })).toEqual([]);
  });

  it("is refused with a key that was revoked since", async () => {
    const { id } = await register();
    const { key, id: keyId } = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    const principal = (await principalOf(key)) as UserPrincipal;
    await ada.client.apiKey.revoke.mutate({ organizationId, id: keyId });
    const call = execute(
      server.services,
      principal,
      {
        organizationId,
        deviceId: id,
        tool: "list_projects",
        params: {},
        waitMs: 0,
        ifOffline: "queue",
        queueTtlMs: 60_000,
        cancelOnDisconnect: false,
      },
      undefined,
    );
    await expect(call).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("has nothing run that waited unnoticed: no device takes it, and the sweeper cancels it", async () => {
    const { id, apiKey } = await register();
    const { id: commandId } = await submit(id, { ifOffline: "queue" });
    const stranger = await server.signUp("Eve");
    await sql`update device_commands set requested_by = ${stranger.user.id} where id = ${commandId}`.execute(
      db,
    );
    const { id: next } = await submit(id, { ifOffline: "queue" });
    const device = connectDevice(server.url, apiKey);
    connected.push(device);
    await device.event("command", (command) => command.id === next);
    expect(device.events.filter(({ type }) => type === "command")).toHaveLength(1);
    await sweep(server.services);
    expect(await read(commandId)).toMatchObject({
      status: "canceled",
      error: { reason: "requester_revoked" },
    });
  });
});

describe("a device's stream", () => {
  it("ends when the database has gone back to a time before it", async () => {
    const { id, device } = await online();
    await sql`update devices set epoch = epoch - 1 where id = ${id}`.execute(db);
    await wakeStreams(server.services);
    await device.ended;
  });

  it("goes on when it is the newest", async () => {
    const { id, device } = await online();
    await wakeStreams(server.services);
    const { id: commandId } = await submit(id);
    expect((await device.event("command")).id).toBe(commandId);
  });

  it("takes nobody's place when its device has hung up before it began", async () => {
    const { id, apiKey, device } = await online();
    const epoch = async () =>
      (await db.selectFrom("devices").select("epoch").where("id", "=", id).executeTakeFirst())?.epoch;
    const before = await epoch();
    const principal = await principalOf(apiKey);
    if (principal.kind !== "device") throw new Error("This is a device's key.");
    const input = { journalId: device.journalId, agentVersion: "1.0.0", capabilities: [] };
    const late = deliver(server.services, principal, input, AbortSignal.abort(), async () => true);
    expect(await late.next()).toEqual({ done: true, value: undefined });
    expect(await epoch()).toBe(before);
  });
});

it("a beat says what runs: that has begun, though its start was not heard", async () => {
  const { id, device } = await online();
  const command = await submit(id);
  await device.event("command");
  const { epoch } = await device.event("beat");
  await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [command.id, newId()] });
  expect((await read(command.id)).status).toBe("running");
  await begin(command, device);
});

it("a beat tells of what was given up since its start was never heard", async () => {
  const { id, device } = await online();
  const { id: commandId } = await submit(id);
  await device.event("command");
  await sql`update device_commands set attempt = 3, claimed_at = now() - interval '2 minutes'
    where id = ${commandId}`.execute(db);
  await sweep(server.services);
  const { epoch } = await device.event("beat");
  const answer = await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [commandId] });
  expect(answer).toEqual({ canceled: [], lost: [commandId] });
});
