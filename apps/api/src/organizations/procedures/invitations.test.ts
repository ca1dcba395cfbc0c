import { newId } from "@grove/db";
import { describe, expect, it } from "vitest";
import { addMember, makeSiteAdmin } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;

const invite = (email = `${newId()}@example.com`, role: "member" | "admin" = "member") =>
  ada.client.organization.invite.mutate({ organizationId, email, role });
const accept = (person: { client: typeof ada.client }, token: string) =>
  person.client.organization.acceptInvitation.mutate({ token });
const expire = (id: string) =>
  db.updateTable("invitations").set({ expires_at: new Date() }).where("id", "=", id).execute();

async function siteAdmin() {
  const root = await server.signUp("Root");
  await makeSiteAdmin(server, root);
  return root;
}

describe("an invitation", () => {
  it("makes its invitee a member, once", async () => {
    const bob = await server.signUp("Bob");
    const { token, ...invitation } = await invite(` ${bob.user.email.toUpperCase()} `, "admin");
    expect(invitation).toMatchObject({ email: bob.user.email, role: "admin", status: "pending" });
    const days = (Date.parse(invitation.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    expect(await server.client().organization.getInvitation.query({ token })).toEqual({
      organizationName: "Ada",
      organizationSlug: (await ada.client.organization.get.query({ organizationId })).slug,
      inviterName: "Ada",
      email: bob.user.email,
      role: "admin",
      expiresAt: invitation.expiresAt,
      status: "pending",
    });

    expect(await accept(bob, token)).toMatchObject({ id: organizationId, role: "admin" });
    await bob.client.organization.get.query({ organizationId });
    expect(await failure(accept(bob, token))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "invitation_not_pending",
      data: { details: { status: "accepted" } },
    });
    const again = await failure(invite(bob.user.email));
    expect(again).toMatchObject({ code: "CONFLICT", reason: "already_member" });
  });

  it("is stored as a hash, and listed without its token", async () => {
    const { token, ...invitation } = await invite();
    const row = await db
      .selectFrom("invitations")
      .selectAll()
      .where("id", "=", invitation.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(token);
    const [listed] = await ada.client.organization.listInvitations.query({ organizationId });
    expect(listed).toEqual(invitation);
  });

  it("is for its address alone", async () => {
    const { token } = await invite();
    const eve = await server.signUp("Eve");
    expect(await failure(accept(eve, token))).toMatchObject({
      code: "FORBIDDEN",
      reason: "invitation_email_mismatch",
    });
  });

  it.each(["revoked", "expired"] as const)("no longer works once it is %s", async (status) => {
    const bob = await server.signUp("Bob");
    const { id, token } = await invite(bob.user.email);
    if (status === "expired") await expire(id);
    else await ada.client.organization.revokeInvitation.mutate({ organizationId, id });
    expect(await failure(accept(bob, token))).toMatchObject({
      reason: "invitation_not_pending",
      data: { details: { status } },
    });
    expect(await server.client().organization.getInvitation.query({ token })).toMatchObject({ status });
  });

  it("is renewed by inviting again, and the old link no longer works", async () => {
    const bob = await server.signUp("Bob");
    const first = await invite(bob.user.email);
    await expire(first.id);
    const second = await invite(bob.user.email, "admin");
    expect(second).toMatchObject({ id: first.id, role: "admin", status: "pending" });
    expect(await failure(accept(bob, first.token))).toMatchObject({ code: "NOT_FOUND" });
    expect(await accept(bob, second.token)).toMatchObject({ role: "admin" });
  });

  it("is revoked once, and not after it was accepted", async () => {
    const bob = await server.signUp("Bob");
    const { id, token } = await invite(bob.user.email);
    await accept(bob, token);
    const revoke = () => ada.client.organization.revokeInvitation.mutate({ organizationId, id });
    expect(await failure(revoke())).toMatchObject({ code: "NOT_FOUND" });
  });

  it("never makes an owner", async () => {
    const call = ada.client.organization.invite.mutate({
      organizationId,
      email: "x@example.com",
      role: "owner" as "admin",
    });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("is unknown by any other token", async () => {
    for (const refused of await Promise.all(
      [accept(ada, "nonsense"), server.client().organization.getInvitation.query({ token: "nonsense" })].map(
        failure,
      ),
    ))
      expect(refused).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is audited", async () => {
    const bob = await server.signUp("Bob");
    const first = await invite();
    await ada.client.organization.revokeInvitation.mutate({ organizationId, id: first.id });
    const second = await invite(bob.user.email);
    await accept(bob, second.token);
    const events = await ada.client.organization.listAuditEvents.query({ organizationId, limit: 4 });
    expect(events.map(({ action, actorId, targetId }) => [action, actorId, targetId])).toEqual([
      ["organization.acceptInvitation", bob.user.id, bob.user.id],
      ["organization.invite", ada.user.id, second.id],
      ["organization.revokeInvitation", ada.user.id, first.id],
      ["organization.invite", ada.user.id, first.id],
    ]);
    const rest = await ada.client.organization.listAuditEvents.query({
      organizationId,
      after: events[1]?.id,
      limit: 2,
    });
    expect(rest).toEqual(events.slice(2));
  });

  it.each(["removed", "demoted", "disabled", "deleted"] as const)(
    "ends when its inviter is %s",
    async (how) => {
      const mallory = await server.signUp("Mallory");
      await addMember(server, organizationId, mallory, "admin");
      const bob = await server.signUp("Bob");
      const { id, token } = await mallory.client.organization.invite.mutate({
        organizationId,
        email: bob.user.email,
        role: "admin",
      });
      const member = { organizationId, userId: mallory.user.id };
      const root = await siteAdmin();
      if (how === "removed") await ada.client.organization.removeMember.mutate(member);
      if (how === "demoted")
        await ada.client.organization.updateMemberRole.mutate({ ...member, role: "member" });
      if (how === "disabled")
        await root.client.admin.setUserDisabled.mutate({ id: mallory.user.id, disabled: true });
      if (how === "deleted") await root.client.admin.deleteUser.mutate({ id: mallory.user.id });
      expect(await failure(accept(bob, token))).toMatchObject({
        reason: "invitation_not_pending",
        data: { details: { status: "revoked" } },
      });
      const events = await ada.client.organization.listAuditEvents.query({
        organizationId,
        action: "organization.revokeInvitation",
      });
      expect(events.map(({ targetId }) => targetId)).toContain(id);
    },
  );
});
