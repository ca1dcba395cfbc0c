import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { addMember, makeSiteAdmin, projectFields } from "../testing/fixtures";
import { queued } from "../testing/ownDevices";
import { failure, useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { db } = server.database;

/** The outcomes of calls: `ok`, or the reason or code of a refusal. Each call has a request of its own. */
const outcomes = (calls: Promise<unknown>[]) =>
  Promise.all(
    calls.map(async (call) => {
      const settled = await Promise.allSettled([call]);
      if (settled[0].status === "fulfilled") return "ok";
      const { reason, code } = await failure(call);
      return reason ?? code;
    }),
  );
const eight = Array.from({ length: 8 }, () => server.client(ada.token));

it("no command is left open on a device that is revoked while commands arrive", async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    const executing = eight.map((client) =>
      client.agent.execute.mutate({ organizationId, deviceId: id, ...queued }),
    );
    const results = await outcomes([...executing, ada.client.device.revoke.mutate({ organizationId, id })]);
    expect(results.filter((outcome) => !["ok", "device_offline", "NOT_FOUND"].includes(outcome))).toEqual([]);
    const commands = await db
      .selectFrom("device_commands")
      .select("status")
      .where("device_id", "=", id)
      .execute();
    expect(commands.filter(({ status }) => status !== "canceled")).toEqual([]);
  }
});

it("no device is left to a member who is removed while they register some", async () => {
  for (let round = 0; round < 5; round++) {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const registering = Array.from({ length: 8 }, () =>
      server.client(bob.token).device.register.mutate({ organizationId, name: "bob's", platform: "linux" }),
    );
    const results = await outcomes([
      ...registering,
      ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id }),
    ]);
    expect(results.filter((outcome) => !["ok", "not_a_member"].includes(outcome))).toEqual([]);
    const usable = await db
      .selectFrom("devices")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("owner_id", "=", bob.user.id)
      .where("revoked_at", "is", null)
      .execute();
    expect(usable).toEqual([]);
  }
});

it("no workspace of a project remains, or reappears, if the project is deleted while workspaces are made", async () => {
  for (let round = 0; round < 5; round++) {
    const fields = projectFields();
    const project = await ada.client.project.create.mutate({ organizationId, ...fields });
    const made = eight.map(() => newId());
    const ensuring = eight.map((client, at) =>
      client.workspace.ensure.mutate({
        organizationId,
        project: fields,
        workspace: { id: made[at] ?? "", name: "tree", type: "worktree", config: {} },
      }),
    );
    const deleting = ada.client.project.delete.mutate({ organizationId, id: project.id });
    expect(new Set(await outcomes([...ensuring, deleting]))).toEqual(new Set(["ok"]));
    const left = await db.selectFrom("workspaces").select("project_id").where("id", "in", made).execute();
    // Registrations that came after the deletion have made the project again.
    expect(left.filter((row) => row.project_id === project.id)).toEqual([]);
    const { length: buried } = await db
      .selectFrom("workspace_tombstones")
      .select("id")
      .where("id", "in", made)
      .execute();
    expect(left.length + buried).toBe(made.length);
  }
});

it("an account that is deleted while it joins an organization leaves nothing behind, and no call hangs", async () => {
  const root = await server.signUp("Root");
  await makeSiteAdmin(server, root);
  for (let round = 0; round < 5; round++) {
    const bob = await server.signUp("Bob");
    const eve = await server.signUp("Eve");
    await addMember(server, bob.organizationId, eve, "member");
    await db
      .updateTable("users")
      .set({ email_verified_at: new Date() })
      .where("id", "=", bob.user.id)
      .execute();
    const invitation = { organizationId, email: bob.user.email, role: "member" as const };
    const { token } = await ada.client.organization.invite.mutate(invitation);
    const results = await outcomes([
      bob.client.organization.acceptInvitation.mutate({ token }),
      bob.client.organization.leave.mutate({ organizationId: bob.organizationId }),
      bob.client.organization.updateMemberRole.mutate({
        organizationId: bob.organizationId,
        userId: eve.user.id,
        role: "owner",
      }),
      root.client.admin.deleteUser.mutate({ id: bob.user.id }),
    ]);
    expect(results).not.toContain("INTERNAL_SERVER_ERROR");
    const owners = await db
      .selectFrom("memberships")
      .select("user_id")
      .where("organization_id", "=", bob.organizationId)
      .where("role", "=", "owner")
      .execute();
    expect(owners.length).toBeGreaterThan(0);
  }
});

it("a session that ends during the call makes no key and no invitation", async () => {
  const bob = await server.signUp("Bob");
  const inBobs = { organizationId: bob.organizationId };
  const trx = await db.startTransaction().execute();
  await trx.selectFrom("users").select("id").where("id", "=", bob.user.id).forUpdate().execute();
  const made = outcomes([
    server.client(bob.token).apiKey.create.mutate({ ...inBobs, name: "left over" }),
    server.client(bob.token).organization.invite.mutate({
      ...inBobs,
      email: `${newId()}@example.com`,
      role: "admin",
    }),
  ]);
  // Both calls have passed the guard, and wait for the account's row.
  await expect.poll(() => waitingFor("users")).toBe(2);
  await trx.deleteFrom("sessions").where("user_id", "=", bob.user.id).execute();
  await trx.commit().execute();
  expect(await made).toEqual(["UNAUTHORIZED", "UNAUTHORIZED"]);
  for (const table of ["api_keys", "invitations"] as const)
    expect(
      await db.selectFrom(table).select("id").where("organization_id", "=", bob.organizationId).execute(),
    ).toEqual([]);
});

/** How many statements on this table wait for a lock. */
async function waitingFor(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query like ${`%"${table}"%`}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
