import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { sweep } from "../../dispatch/end/sweep";
import { addMember } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;

describe("an API key", () => {
  it("acts as its owner in its one organization, and is stored as a hash", async () => {
    await ada.client.organization.create.mutate({ name: "Elsewhere" });
    const { key, prefix, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
    expect(key.startsWith(prefix)).toBe(true);
    const client = server.client(key);
    expect(await client.user.get.query()).toMatchObject({ id: ada.user.id });
    expect(await client.organization.list.query()).toMatchObject([{ id: organizationId }]);
    const row = await server.database.db
      .selectFrom("api_keys")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it("ends with the next request when it is revoked, and is no longer listed", async () => {
    const { key, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    const client = server.client(key);
    await client.user.get.query();
    expect(await ada.client.apiKey.revoke.mutate({ organizationId, id })).toEqual({ success: true });
    expect(await failure(client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await ada.client.apiKey.list.query({ organizationId })).map((listed) => listed.id)).not.toContain(
      id,
    );
    expect(await failure(ada.client.apiKey.revoke.mutate({ organizationId, id }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("can be seen and revoked by its owner and by admins only", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const adas = await ada.client.apiKey.create.mutate({ organizationId, name: "ada's" });
    const bobs = await bob.client.apiKey.create.mutate({ organizationId, name: "bob's" });
    expect((await bob.client.apiKey.list.query({ organizationId })).map((key) => key.id)).toEqual([bobs.id]);
    expect((await ada.client.apiKey.list.query({ organizationId })).map((key) => key.id)).toEqual(
      expect.arrayContaining([adas.id, bobs.id]),
    );
    expect(await failure(bob.client.apiKey.revoke.mutate({ organizationId, id: adas.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    await server.client(adas.key).user.get.query();
    await ada.client.apiKey.revoke.mutate({ organizationId, id: bobs.id });
    expect(await failure(server.client(bobs.key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("must expire before the year 10000, in any time zone", async () => {
    const expiresAt = "9999-12-31T23:59:59-12:00";
    const call = ada.client.apiKey.create.mutate({ organizationId, name: "for ever", expiresAt });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("must expire in the future", async () => {
    const expiresAt = "2020-01-01T00:00:00Z";
    const call = ada.client.apiKey.create.mutate({ organizationId, name: "late", expiresAt });
    expect(await failure(call)).toMatchObject({
      code: "BAD_REQUEST",
      data: { fieldErrors: { expiresAt: ["must lie in the future"] } },
    });
  });

  it("identifies its owner", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const { id } = await bob.client.apiKey.create.mutate({ organizationId, name: "bob's" });
    const listed = await ada.client.apiKey.list.query({ organizationId });
    expect(listed.find((key) => key.id === id)?.userId).toBe(bob.user.id);
  });
});

describe("an API key that ends", () => {
  const queue = (key: string, deviceId: string) =>
    server.client(key).agent.execute.mutate({
      organizationId,
      deviceId,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ifOffline: "queue",
    });
  const read = (id: string) => ada.client.agent.getCommand.query({ organizationId, id });
  const machine = { organizationId, name: "a", platform: "linux" as const };

  it("cancels what it has queued", async () => {
    const device = await ada.client.device.register.mutate(machine);
    const { key, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "stolen" });
    const command = await queue(key, device.id);
    const other = await ada.client.agent.execute.mutate({
      organizationId,
      deviceId: device.id,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ifOffline: "queue",
    });
    await ada.client.apiKey.revoke.mutate({ organizationId, id });
    expect(await read(command.id)).toMatchObject({
      status: "canceled",
      error: { reason: "requester_revoked" },
    });
    expect(await read(other.id)).toMatchObject({ status: "queued" });
  });

  it("cancels it when it expires, too", async () => {
    const device = await ada.client.device.register.mutate(machine);
    const { key, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    const command = await queue(key, device.id);
    const { key: good } = await ada.client.apiKey.create.mutate({ organizationId, name: "long" });
    const other = await queue(good, device.id);
    await sql`update api_keys set expires_at = now() where id = ${id}`.execute(server.database.db);
    await sweep(server.services);
    expect(await read(command.id)).toMatchObject({
      status: "canceled",
      error: { reason: "requester_revoked" },
    });
    expect(await read(other.id)).toMatchObject({ status: "queued" });
  });

  it("lists the devices it has registered, and revokes them on request", async () => {
    const { key, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "installer" });
    const device = await server.client(key).device.register.mutate(machine);
    expect(await ada.client.apiKey.revoke.mutate({ organizationId, id })).toEqual({
      success: true,
      devices: [{ id: device.id, name: "a" }],
    });
    await server.client(device.apiKey).device.self.query();

    const stolen = await ada.client.apiKey.create.mutate({ organizationId, name: "stolen" });
    const thiefs = await server.client(stolen.key).device.register.mutate(machine);
    const revoke = { organizationId, id: stolen.id, revokeDevices: true };
    expect(await ada.client.apiKey.revoke.mutate(revoke)).toEqual({ success: true });
    expect(await failure(server.client(thiefs.apiKey).device.self.query())).toMatchObject({
      code: "UNAUTHORIZED",
    });
    const events = await ada.client.organization.listAuditEvents.query({
      organizationId,
      action: "device.revoke",
    });
    expect(events.map(({ targetId }) => targetId)).toContain(thiefs.id);
  });
});
