import { newId } from "@grove/db";
import { describe, expect, it } from "vitest";
import { connectDevice, untilStatus } from "../../testing/device";
import { addMember, makeSiteAdmin } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const root = await server.signUp("Root");
await makeSiteAdmin(server, root);
const { admin } = root.client;
const { db } = server.database;

describe("admin.listUsers and listOrganizations", () => {
  it("find by part of a name or address, in any script, without wildcards", async () => {
    const mark = newId();
    const zoe = await server.signUp(`Zoë 100%_${mark}`);
    await server.signUp(`Zoë 100xy${mark}`);
    expect((await admin.listUsers.query({ search: `zoë 100%_${mark}` })).map(({ id }) => id)).toEqual([
      zoe.user.id,
    ]);
    expect((await admin.listUsers.query({ search: zoe.user.email.slice(2) }))[0]).toMatchObject({
      id: zoe.user.id,
      isAdmin: false,
      disabledAt: null,
    });
    expect(await admin.listOrganizations.query({ search: `100%_${mark}` })).toMatchObject([
      { id: zoe.organizationId, members: 1 },
    ]);
  });

  it("page newest first, without gap or duplicate", async () => {
    for (let count = 0; count < 3; count++) await server.signUp("Page");
    for (const list of [admin.listUsers, admin.listOrganizations]) {
      const all = (await list.query({})).map(({ id }) => id);
      const paged: string[] = [];
      for (;;) {
        const items = await list.query({ limit: 2, after: paged.at(-1) });
        paged.push(...items.map(({ id }) => id));
        if (items.length < 2) break;
      }
      expect(paged).toEqual(all);
      expect(await failure(list.query({ after: newId() }))).toMatchObject({ reason: "cursor_gone" });
    }
  });
});

describe("admin.setUserDisabled", () => {
  it("ends sessions, keys and devices permanently, and enabling lets the user sign in again", async () => {
    const bob = await server.signUp("Bob");
    const { organizationId } = bob;
    const key = await bob.client.apiKey.create.mutate({ organizationId, name: "ci" });
    await bob.client.device.register.mutate({ organizationId, name: "a", platform: "mac" });
    expect(await admin.getUser.query({ id: bob.user.id })).toMatchObject({
      organizations: [{ id: organizationId, role: "owner" }],
      sessions: 1,
      apiKeys: 1,
      devices: 1,
    });
    const disabled = await admin.setUserDisabled.mutate({ id: bob.user.id, disabled: true });
    expect(disabled.disabledAt).not.toBeNull();
    expect(await admin.setUserDisabled.mutate({ id: bob.user.id, disabled: true })).toEqual(disabled);
    expect(await admin.getUser.query({ id: bob.user.id })).toMatchObject({
      sessions: 0,
      apiKeys: 0,
      devices: 0,
    });
    await expect(server.signIn(bob.user.email)).rejects.toThrow("account_disabled");
    await admin.setUserDisabled.mutate({ id: bob.user.id, disabled: false });
    const again = await server.signIn(bob.user.email);
    expect(await again.client.user.get.query()).toMatchObject({ id: bob.user.id });
    expect(await failure(server.client(key.key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    const events = await again.client.organization.listAuditEvents.query({
      organizationId,
      action: "admin.setUserDisabled",
    });
    expect(events.map(({ actorId, metadata }) => [actorId, metadata.disabled])).toEqual([
      [root.user.id, false],
      [root.user.id, true],
      [root.user.id, true],
    ]);
  });
});

describe("admin.deleteUser", () => {
  it("takes the organizations in which the user is alone, and refuses to leave others without an owner", async () => {
    const [bob, eve] = [await server.signUp("Bob"), await server.signUp("Eve")];
    await addMember(server, bob.organizationId, eve, "member");
    const id = bob.user.id;
    expect(await failure(admin.deleteUser.mutate({ id }))).toMatchObject({ reason: "last_owner" });
    expect(await bob.client.user.get.query()).toMatchObject({ id });
    expect(await admin.deleteUser.mutate({ id: eve.user.id })).toEqual({ success: true });
    expect(await admin.deleteUser.mutate({ id })).toEqual({ success: true });
    for (const person of [bob, eve]) {
      expect(await failure(person.client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
      expect(await failure(admin.getUser.query({ id: person.user.id }))).toMatchObject({ code: "NOT_FOUND" });
    }
    const left = await db
      .selectFrom("organizations")
      .select("id")
      .where("id", "in", [bob.organizationId, eve.organizationId])
      .execute();
    expect(left).toEqual([]);
  });
});

it("an admin can neither disable nor delete itself", async () => {
  const { id } = root.user;
  for (const call of [
    () => admin.setUserDisabled.mutate({ id, disabled: true }),
    () => admin.deleteUser.mutate({ id }),
  ])
    expect(await failure(call())).toMatchObject({ code: "FORBIDDEN", reason: "own_account" });
});

it("admin.stats counts", async () => {
  const before = await admin.stats.query();
  const ada = await server.signUp("Ada");
  const { organizationId } = ada;
  const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
  const connected = connectDevice(server.url, device.apiKey);
  await untilStatus(ada.client, organizationId, device.id, "online");
  const command = { organizationId, deviceId: device.id, tool: "list_projects", params: {}, waitMs: 0 };
  const { id } = await ada.client.agent.execute.mutate(command);
  await connected.event("command");
  await connected.client.agent.complete.mutate({ id, journalId: connected.journalId, result: {} });
  const after = await admin.stats.query();
  expect(after).toMatchObject({
    users: before.users + 1,
    organizations: before.organizations + 1,
    devicesOnline: before.devicesOnline + 1,
    commands: { succeeded: (before.commands.succeeded ?? 0) + 1 },
  });
  connected.disconnect();
});
