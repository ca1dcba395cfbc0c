import { newId } from "@grove/db";
import { beforeEach, describe, expect, it } from "vitest";
import { addMember } from "../../testing/fixtures";
import { failure, type Person, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db, notifier } = server.database;
// One after another: if two join in the same millisecond, the younger account is listed first.
const owner = await server.signUp("Owner");
const admin = await server.signUp("Admin");
const bob = await server.signUp("Bob");

let organizationId: string;
beforeEach(async () => {
  organizationId = (await owner.client.organization.create.mutate({ name: "Acme" })).id;
  await addMember(server, organizationId, admin, "admin");
  await addMember(server, organizationId, bob, "member");
});

const roleOf = async (person: Person) => {
  const members = await owner.client.organization.listMembers.query({ organizationId });
  return members.find((member) => member.userId === person.user.id)?.role;
};
const giveRole = (by: Person, person: Person, role: "member" | "admin" | "owner") =>
  by.client.organization.updateMemberRole.mutate({ organizationId, userId: person.user.id, role });
const remove = (by: Person, person: Person) =>
  by.client.organization.removeMember.mutate({ organizationId, userId: person.user.id });
const leave = (person: Person) => person.client.organization.leave.mutate({ organizationId });

describe("listMembers", () => {
  it("lists everyone, newest first, page by page", async () => {
    const all = await bob.client.organization.listMembers.query({ organizationId });
    expect(all.map(({ name, role }) => [name, role])).toEqual([
      ["Bob", "member"],
      ["Admin", "admin"],
      ["Owner", "owner"],
    ]);
    const [first] = await bob.client.organization.listMembers.query({ organizationId, limit: 1 });
    const rest = await bob.client.organization.listMembers.query({ organizationId, after: first?.userId });
    expect([first, ...rest]).toEqual(all);
  });

  it("accepts no member of another organization as a cursor", async () => {
    const eve = await server.signUp("Eve");
    const call = bob.client.organization.listMembers.query({ organizationId, after: eve.user.id });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST", reason: "cursor_gone" });
  });
});

describe("updateMemberRole", () => {
  it("is for admins, over members and admins, and takes effect with the next request", async () => {
    await giveRole(admin, bob, "admin");
    expect(await roleOf(bob)).toBe("admin");
    await bob.client.organization.update.mutate({ organizationId, name: "Bob's" });
    await giveRole(admin, bob, "member");
    const call = bob.client.organization.update.mutate({ organizationId, name: "Again" });
    expect(await failure(call)).toMatchObject({ code: "FORBIDDEN", reason: "role_required" });
  });

  it("lets no admin change an owner, nor make one", async () => {
    for (const refused of await Promise.all(
      [giveRole(admin, owner, "member"), giveRole(admin, bob, "owner")].map(failure),
    ))
      expect(refused).toMatchObject({
        code: "FORBIDDEN",
        reason: "role_required",
        data: { details: { required: "owner", role: "admin" } },
      });
    expect(await failure(remove(admin, owner))).toMatchObject({ reason: "role_required" });
  });

  it("never leaves an organization without an owner", async () => {
    expect(await failure(giveRole(owner, owner, "admin"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "last_owner",
    });
    await giveRole(owner, bob, "owner");
    await giveRole(owner, owner, "admin");
    expect([await roleOf(owner), await roleOf(bob)]).toEqual(["admin", "owner"]);
  });

  it("returns no member of another organization", async () => {
    const eve = await server.signUp("Eve");
    expect(await failure(giveRole(owner, eve, "admin"))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(remove(owner, eve))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a member who leaves or is removed", () => {
  it.each([
    ["leaves", () => leave(bob), "organization.leave", bob],
    ["is removed", () => remove(admin, bob), "organization.removeMember", admin],
  ])(
    "%s: keys and devices end immediately, open commands are settled, the rest stays",
    async (_, end, action, by) => {
      const { key } = await bob.client.apiKey.create.mutate({ organizationId, name: "ci" });
      const device = await bob.client.device.register.mutate({
        organizationId,
        name: "a",
        platform: "linux",
      });
      const elsewhere = await bob.client.apiKey.create.mutate({
        organizationId: bob.organizationId,
        name: "own",
      });
      const commands = await Promise.all(
        (["queued", "claimed", "running", "succeeded"] as const).map(async (status) => ({
          status,
          id: await command(device.id, status),
        })),
      );
      const keyId = (await bob.client.apiKey.list.query({ organizationId }))[0]?.id ?? "";
      const session = (await bob.client.user.listSessions.query()).find(({ current }) => current)?.id ?? "";
      const heard: string[] = [];
      const stops = [device.id, keyId, session].map((id) =>
        notifier.subscribe("credential_revoked", id, () => heard.push(id)),
      );

      expect(await end()).toEqual({ success: true });

      await expect.poll(() => heard).toEqual(expect.arrayContaining([device.id, keyId, session]));
      for (const stop of stops) stop();
      expect(await failure(server.client(key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
      expect(await failure(server.client(device.apiKey).device.self.query())).toMatchObject({
        code: "UNAUTHORIZED",
      });
      expect(await failure(bob.client.organization.get.query({ organizationId }))).toMatchObject({
        reason: "not_a_member",
      });
      await server.client(elsewhere.key).user.get.query();
      const rows = await db
        .selectFrom("device_commands")
        .select(["id", "status", "error", "finished_at"])
        .where("organization_id", "=", organizationId)
        .execute();
      const settled = { queued: "canceled", claimed: "lost", running: "lost", succeeded: "succeeded" };
      for (const { id, status } of commands)
        expect(rows.find((row) => row.id === id)).toMatchObject(
          status === "succeeded"
            ? { status: "succeeded", error: null }
            : {
                status: settled[status],
                error: { reason: "device_revoked" },
                finished_at: expect.any(String),
              },
        );
      const audited = await owner.client.organization.listAuditEvents.query({ organizationId, action });
      expect(audited[0]).toMatchObject({ actorKind: "user", actorId: by.user.id, targetId: bob.user.id });
      const input = { organizationId, actorId: by.user.id };
      const own = await owner.client.organization.listAuditEvents.query(input);
      expect(own).toContainEqual(audited[0]);
      expect(own.filter(({ actorId }) => actorId !== by.user.id)).toEqual([]);
    },
  );

  it("can join again, without the device", async () => {
    const device = await bob.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    await leave(bob);
    await addMember(server, organizationId, bob, "member");
    expect(await failure(server.client(device.apiKey).device.self.query())).toMatchObject({
      code: "UNAUTHORIZED",
    });
  });

  it("is never the last owner", async () => {
    for (const refused of await Promise.all([leave(owner), remove(owner, owner)].map(failure)))
      expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", reason: "last_owner" });
    await giveRole(owner, bob, "owner");
    await leave(owner);
    expect((await bob.client.organization.listMembers.query({ organizationId })).length).toBe(2);
  });
});

/** A command for the device, in this state. */
async function command(deviceId: string, status: "queued" | "claimed" | "running" | "succeeded") {
  const id = newId();
  await db
    .insertInto("device_commands")
    .values({
      id,
      organization_id: organizationId,
      device_id: deviceId,
      tool: "list_projects",
      params: "{}",
      status,
      principal: "user:test",
      timeout_ms: 60_000,
      queue_expires_at: new Date(Date.now() + 60_000),
    })
    .execute();
  return id;
}

it("commands that a former member has queued for another's device are canceled", async () => {
  const device = { organizationId, name: "build", platform: "linux" } as const;
  const { id: deviceId } = await owner.client.device.register.mutate(device);
  await owner.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  const queue = (by: Person) =>
    by.client.agent.execute.mutate({
      organizationId,
      deviceId,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ifOffline: "queue",
    });
  const bobs = await queue(bob);
  const admins = await queue(admin);
  await remove(owner, bob);
  const command = (id: string) => owner.client.agent.getCommand.query({ organizationId, id });
  expect(await command(bobs.id)).toMatchObject({
    status: "canceled",
    error: { reason: "requester_revoked" },
  });
  expect(await command(admins.id)).toMatchObject({ status: "queued" });
});
