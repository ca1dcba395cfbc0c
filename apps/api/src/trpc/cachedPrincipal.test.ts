import type { MaybeCached, UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import type { requireOutputOf } from "../agentSessions/outputAccess";
import type { checkDevice } from "../dispatch/submit/refusals";
import { connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { addMember } from "../testing/fixtures";
import { failure, type StockClient, useTestServer } from "../testing/server";

// A looked-up key is cached for half a minute. This test ends credentials in the database without announcing it, as if
// another process's announcement had not arrived yet: the statements must check the key themselves.
const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { db } = server.database;
const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

async function online(run?: Parameters<typeof connectDevice>[2]) {
  const registered = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  await ada.client.device.update.mutate({ organizationId, id: registered.id, shared: true });
  const device = connectDevice(server.url, registered.apiKey, run);
  connected.push(device);
  await untilStatus(ada.client, organizationId, registered.id, "online");
  return { id: registered.id, device };
}

const answering = {
  run: ({ id }: { id: string }, { client, journalId }: TestDevice) =>
    client.agent.complete.mutate({ id, journalId, result: {} }),
};

const execute = (client: StockClient, deviceId: string, more: object = {}) =>
  client.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, ...more });

/** How often credentials have been looked up. */
const lookUps = () => server.statements.filter(({ sql: text }) => text.includes("key_hash = any(")).length;

const commands = async () =>
  Number((await sql<{ n: string }>`select count(*) as n from device_commands`.execute(db)).rows[0]?.n);

it("functions that act for a principal do not accept a cached one", () => {
  expectTypeOf<MaybeCached<UserPrincipal>>().not.toExtend<Parameters<typeof requireOutputOf>[1]>();
  expectTypeOf<MaybeCached<UserPrincipal>>().not.toExtend<Parameters<typeof checkDevice>[1]>();
});

describe("an API key", () => {
  /** A member's key that has been used for a command, and is cached for the next. */
  async function withCachedKey(deviceId: string) {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const { id, key } = await bob.client.apiKey.create.mutate({
      organizationId,
      name: "a",
      scopes: ["read", "write"],
    });
    const client = server.client(key);
    await execute(client, deviceId);
    return { bob, id, client };
  }

  it("is looked up once for many commands", async () => {
    const { id } = await online(answering);
    const { client } = await withCachedKey(id);
    const before = lookUps();
    for (let n = 0; n < 5; n++) expect(await execute(client, id)).toMatchObject({ status: "succeeded" });
    expect(lookUps()).toBe(before);
  });

  it("is not looked up to see a screen that its owner may see", async () => {
    const { id: deviceId } = await online({
      ...answering,
      capabilities: ["list_projects", "get_agent_screen"],
    });
    const { bob, id, client } = await withCachedKey(deviceId);
    const session = { organization_id: organizationId, device_id: deviceId, agent: "test" };
    const [his, other] = [newId(), newId()];
    await db
      .insertInto("agent_sessions")
      .values([
        { ...session, id: his, started_by: bob.user.id },
        { ...session, id: other, started_by: ada.user.id },
      ])
      .execute();
    const look = (sessionId: string) =>
      execute(client, deviceId, { tool: "get_agent_screen", params: { sessionId, length: 100 } });
    const before = lookUps();
    expect(await look(his)).toMatchObject({ status: "succeeded" });
    expect(lookUps()).toBe(before);
    expect(await failure(look(other))).toMatchObject({ code: "FORBIDDEN" });
    await sql`update api_keys set revoked_at = now() where id = ${id}`.execute(db);
    expect(await failure(look(his))).toMatchObject({ code: "UNAUTHORIZED" });
  });

  const ends = {
    revoked: ({ id }) => sql`update api_keys set revoked_at = now() where id = ${id}`,
    expired: ({ id }) => sql`update api_keys set expires_at = now() - interval '1 ms' where id = ${id}`,
    deleted: ({ id }) => sql`delete from api_keys where id = ${id}`,
    "of a disabled user": ({ userId }) => sql`update users set disabled_at = now() where id = ${userId}`,
    "of a former member": ({ userId }) => sql`delete from memberships where user_id = ${userId}
      and organization_id = ${organizationId}`,
  } satisfies Record<string, (of: { id: string; userId: string }) => ReturnType<typeof sql>>;

  it.each(Object.entries(ends))("that is %s runs nothing after that", async (_, end) => {
    const { id: deviceId, device } = await online(answering);
    const { bob, id, client } = await withCachedKey(deviceId);
    await end({ id, userId: bob.user.id }).execute(db);
    const [before, delivered] = [await commands(), device.events.length];
    const refused = [
      execute(client, deviceId),
      // A caller whose request is wrong, or names something that does not exist, does not learn that.
      execute(client, deviceId, { params: { search: 1 } }),
      execute(client, newId()),
      execute(client, deviceId, { ifOffline: "queue", idempotencyKey: "a" }),
      execute(client, deviceId, { tool: "get_agent_screen", params: { sessionId: newId(), length: 100 } }),
    ];
    for (const each of refused) expect(await failure(each)).toMatchObject({ code: "UNAUTHORIZED" });
    expect(await commands()).toBe(before);
    expect(device.events.length).toBe(delivered);
  });

  it("that is valid learns what is wrong with its request, after a lookup", async () => {
    const { id: deviceId } = await online(answering);
    const { client } = await withCachedKey(deviceId);
    const wrong = [
      ["BAD_REQUEST", execute(client, deviceId, { params: { search: 1 } })],
      ["NOT_FOUND", execute(client, newId())],
      [
        "NOT_FOUND",
        execute(client, deviceId, { tool: "get_agent_screen", params: { sessionId: newId(), length: 100 } }),
      ],
    ] as const;
    for (const [code, call] of wrong) expect(await failure(call)).toMatchObject({ code });
  });

  it("whose owner has another role now is looked up again, and accepted", async () => {
    const { id } = await online(answering);
    const { bob, client } = await withCachedKey(id);
    await sql`update memberships set role = 'admin' where user_id = ${bob.user.id}
      and organization_id = ${organizationId}`.execute(db);
    const before = lookUps();
    expect(await execute(client, id)).toMatchObject({ status: "succeeded" });
    expect(lookUps()).toBe(before + 1);
  });
});

describe("a device's key", () => {
  /** A command that the device has, after it has ended another one: its key is cached. */
  async function holding() {
    const held: string[] = [];
    const { id, device } = await online({
      run: (command, self) => (held.length > 0 ? undefined : answering.run(command, self)),
    });
    await execute(ada.client, id);
    held.push("from now on");
    const command = await execute(ada.client, id, { waitMs: 0 });
    await device.event("command", (event) => event.id === command.id);
    const complete = () =>
      device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, result: {} });
    return { id, device, command, complete };
  }

  const statusOf = async (id: string) =>
    (await ada.client.agent.getCommand.query({ organizationId, id, waitMs: 0 })).status;

  it("is not looked up for the end of a command", async () => {
    const { complete } = await holding();
    const before = lookUps();
    expect(await complete()).toEqual({ status: "succeeded" });
    expect(lookUps()).toBe(before);
    // A repeated report is answered after a fresh lookup.
    expect(await complete()).toEqual({ status: "succeeded" });
    expect(lookUps()).toBe(before + 1);
  });

  const ends = {
    revoked: (id) => sql`update devices set revoked_at = now() where id = ${id}`,
    rotated: (id) => sql`update devices set key_hash = ${newId()} where id = ${id}`,
    "a former member's": (id) => sql`update devices set owner_id = (
      select id from users where id <> ${ada.user.id} and not exists (
        select from memberships where user_id = users.id and organization_id = ${organizationId}) limit 1)
      where id = ${id}`,
  } satisfies Record<string, (id: string) => ReturnType<typeof sql>>;

  it.each(Object.entries(ends))("that is %s ends nothing after that", async (_, end) => {
    await server.signUp("Nobody");
    const { id, command, complete } = await holding();
    await end(id).execute(db);
    expect(await failure(complete())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(await statusOf(command.id)).toBe("claimed");
  });
});
