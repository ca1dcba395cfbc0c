import { expect, it } from "vitest";
import { addMember } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";

const server = await useTestServer();
const { db } = server.database;
const [ada, bob] = await Promise.all(["Ada", "Bob"].map((name) => server.signUp(name)));
if (!ada || !bob) throw new Error("a sign-up returned no user");

const ROUNDS = 10;

/** Creates an organization that both users own. */
async function ownedByBoth() {
  if (!ada || !bob) throw new Error("a sign-up returned no user");
  const { id } = await ada.client.organization.create.mutate({ name: "Acme" });
  await addMember(server, id, bob, "owner");
  return id;
}
const owners = async (organizationId: string) =>
  (
    await db
      .selectFrom("memberships")
      .select("user_id")
      .where("organization_id", "=", organizationId)
      .where("role", "=", "owner")
      .execute()
  ).length;

it.each([
  [
    "demote each other",
    (organizationId: string) => [
      ada.client.organization.updateMemberRole.mutate({
        organizationId,
        userId: bob.user.id,
        role: "member",
      }),
      bob.client.organization.updateMemberRole.mutate({
        organizationId,
        userId: ada.user.id,
        role: "member",
      }),
    ],
  ],
  [
    "leave",
    (organizationId: string) =>
      [ada, bob].map((person) => person.client.organization.leave.mutate({ organizationId })),
  ],
  [
    "remove each other",
    (organizationId: string) => [
      ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id }),
      bob.client.organization.removeMember.mutate({ organizationId, userId: ada.user.id }),
    ],
  ],
])("two owners who %s concurrently leave one", async (_, both) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const organizationId = await ownedByBoth();
    const outcomes = await Promise.allSettled(both(organizationId));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rejected = outcomes.find((outcome) => outcome.status === "rejected");
    const { reason } = await failure(Promise.reject(rejected?.reason));
    expect(["last_owner", "role_required", "not_a_member"]).toContain(reason);
    expect(await owners(organizationId)).toBe(1);
  }
});

it("an owner who is demoted at the same time does not delete the organization", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const organizationId = await ownedByBoth();
    const [organization] = (await bob.client.organization.list.query()).filter(
      ({ id }) => id === organizationId,
    );
    const outcomes = await Promise.allSettled([
      ada.client.organization.updateMemberRole.mutate({
        organizationId,
        userId: bob.user.id,
        role: "member",
      }),
      bob.client.organization.delete.mutate({ organizationId, confirmSlug: organization?.slug ?? "" }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rejected = outcomes.find((outcome) => outcome.status === "rejected");
    const { reason } = await failure(Promise.reject(rejected?.reason));
    expect(["role_required", "not_a_member"]).toContain(reason);
  }
});

it("an invitation accepted many times concurrently is accepted once", async () => {
  const carol = await server.signUp("Carol");
  const { organizationId } = ada;
  const { token } = await ada.client.organization.invite.mutate({
    organizationId,
    email: carol.user.email,
    role: "member",
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      server.client(carol.token).organization.acceptInvitation.mutate({ token }),
    ),
  );
  const reasons = outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? "accepted" : outcome.reason.data?.reason,
  );
  expect(reasons.sort()).toEqual(["accepted", ...Array(7).fill("invitation_not_pending")]);
});

it("an address invited many times concurrently has one open invitation", async () => {
  const { organizationId } = ada;
  const email = "dora@example.com";
  await Promise.all(
    Array.from({ length: 8 }, () =>
      ada.client.organization.invite.mutate({ organizationId, email, role: "member" }),
    ),
  );
  const listed = await ada.client.organization.listInvitations.query({ organizationId });
  expect(listed.filter((invitation) => invitation.email === email)).toHaveLength(1);
});

it("two owners who delete their accounts concurrently leave no organization without an owner", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [first, second, member] = await Promise.all(["A", "B", "C"].map((name) => server.signUp(name)));
    if (!first || !second || !member) throw new Error("a sign-up returned no user");
    const { organizationId } = first;
    await addMember(server, organizationId, second, "owner");
    await addMember(server, organizationId, member, "member");
    const password = "correct horse battery";
    const outcomes = await Promise.allSettled(
      [first, second].map((person) => person.client.user.delete.mutate({ password })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await owners(organizationId)).toBe(1);
  }
});
