import { newId } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { failure, password, useTestServer } from "../testing/server";
import { useSmtpServer } from "../testing/smtp";

const smtp = await useSmtpServer();
const server = await useTestServer({
  smtp: { url: smtp.url, from: "Grove <grove@example.com>", service: "acme-grove" },
});
const { db } = server.database;

/** The fields of all routes' answers. */
interface Answer {
  success?: true;
  startedOver?: true;
  token?: string;
  user?: { id: string; emailVerified: boolean };
  error?: { data: { reason?: string } };
}

async function post(route: string, body: object, token?: string) {
  const response = await fetch(`${server.url}/api/auth/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  return { status: response.status, answer, reason: answer.error?.data.reason };
}
const emailVerified = async (person: { client: Awaited<ReturnType<typeof server.signUp>>["client"] }) =>
  (await person.client.user.get.query()).emailVerified;
const signInWith = (email: string, tried: string) => post("sign-in", { email, password: tried });

describe("verification", () => {
  it("is mailed at sign-up, and happens once", async () => {
    const ada = await server.signUp("Ada");
    const mail = await smtp.next(ada.user.email);
    expect(mail).toMatchObject({ from: "grove@example.com", subject: "Verify your email address" });
    expect(mail.text).toContain("/verify-email#token=");
    expect(mail.text.trimEnd()).toMatch(/\nacme-grove$/);
    expect(await emailVerified(ada)).toBe(false);
    expect((await post("verify-email", { token: mail.token }, ada.token)).answer).toEqual({ success: true });
    expect(await emailVerified(ada)).toBe(true);
    expect(await post("verify-email", { token: mail.token }, ada.token)).toMatchObject({
      status: 400,
      reason: "token_invalid",
    });
  });

  it("is mailed again on request, and the previous mail no longer works", async () => {
    const ada = await server.signUp("Ada");
    const first = await smtp.next(ada.user.email);
    expect((await post("resend-verification", {}, ada.token)).status).toBe(200);
    const second = await smtp.next(ada.user.email);
    expect(await post("verify-email", { token: first.token })).toMatchObject({ reason: "token_invalid" });
    expect((await post("verify-email", { token: second.token }, ada.token)).status).toBe(200);
    expect((await post("resend-verification", {})).status).toBe(401);
  });

  it("expires", async () => {
    const ada = await server.signUp("Ada");
    const { token } = await smtp.next(ada.user.email);
    await db.updateTable("email_tokens").set({ expires_at: new Date() }).execute();
    expect(await post("verify-email", { token })).toMatchObject({ reason: "token_invalid" });
  });
});

/**
 * Someone who signs up with another person's address, and fills the organization that comes with it: a key, a device,
 * an open invitation and, if asked for, a friend who becomes a member or an owner.
 */
async function squatter(friend?: "owner" | "member") {
  const person = await server.signUp("Squatter");
  const mail = await smtp.next(person.user.email);
  const { organizationId } = person;
  const { key } = await person.client.apiKey.create.mutate({ organizationId, name: "ci" });
  const machine = { organizationId, name: "a", platform: "linux" as const };
  const device = await person.client.device.register.mutate(machine);
  const eve = await verifiedPerson("Eve");
  const { token } = await person.client.organization.invite.mutate({
    organizationId,
    email: eve.user.email,
    role: "admin",
  });
  if (friend) {
    await eve.client.organization.acceptInvitation.mutate({ token });
    const role = { organizationId, userId: eve.user.id, role: friend };
    await person.client.organization.updateMemberRole.mutate(role);
  }
  return { ...person, mail, key, device, eve, invitation: { token } };
}

async function verifiedPerson(name: string) {
  const person = await server.signUp(name);
  const mail = await smtp.next(person.user.email);
  await post("verify-email", { token: mail.token }, person.token);
  return person;
}

/** The organizations that an account is in, with the members of each. */
const organizationsOf = async (userId: string) => {
  const own = await db
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .execute();
  return Promise.all(
    own.map(async ({ organization_id: id }) => {
      const members = await db
        .selectFrom("memberships")
        .select("user_id")
        .where("organization_id", "=", id)
        .execute();
      return { id, members: members.map((row) => row.user_id) };
    }),
  );
};

describe("verifying an address that a squatter signed up with", () => {
  const newPassword = "staple battery horse";
  const proofs = {
    "verify-email": async ({ mail }: Awaited<ReturnType<typeof squatter>>, token?: string) =>
      post("verify-email", { token: mail.token }, token),
    "reset-password": async ({ user }: Awaited<ReturnType<typeof squatter>>, token?: string) => {
      await post("forgot-password", { email: user.email });
      const mail = await smtp.next(user.email);
      expect(mail.text).toContain("starts over");
      return post("reset-password", { token: mail.token, password: newPassword }, token);
    },
  };

  it.each(Object.entries(proofs))("by %s resets the account", async (_, prove) => {
    const typed = await squatter();
    expect((await prove(typed)).answer).toEqual({ success: true, startedOver: true });
    for (const refused of await Promise.all(
      [
        typed.client.user.get.query(),
        server.client(typed.key).user.get.query(),
        server.client(typed.device.apiKey).device.self.query(),
      ].map(failure),
    ))
      expect(refused).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await signInWith(typed.user.email, password)).status).toBe(401);
    const user = await db
      .selectFrom("users")
      .select("email_verified_at")
      .where("id", "=", typed.user.id)
      .executeTakeFirstOrThrow();
    expect(user.email_verified_at).not.toBeNull();
    expect(
      await failure(typed.eve.client.organization.acceptInvitation.mutate(typed.invitation)),
    ).toMatchObject({
      code: "NOT_FOUND",
    });
    const [fresh, ...more] = await organizationsOf(typed.user.id);
    expect(fresh).toMatchObject({ members: [typed.user.id] });
    expect(fresh?.id).not.toBe(typed.organizationId);
    expect(more).toEqual([]);
    const kept = await db
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", typed.organizationId)
      .execute();
    expect(kept).toEqual([]);
  });

  it.each(["owner", "member"] as const)("leaves their organization to a friend who is %s", async (friend) => {
    const typed = await squatter(friend);
    const { eve, organizationId } = typed;
    await proofs["verify-email"](typed);
    const organization = await eve.client.organization.get.query({ organizationId });
    expect(organization.role).toBe("owner");
    const members = await eve.client.organization.listMembers.query({ organizationId });
    expect(members.map(({ userId }) => userId)).toEqual([eve.user.id]);
    const events = await eve.client.organization.listAuditEvents.query({ organizationId, limit: 10 });
    const bySystem = events.filter(({ actorKind }) => actorKind === "system");
    expect(bySystem.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["organization.removeMember", "apiKey.revoke", "device.revoke"]),
    );
    expect(bySystem.some(({ action }) => action === "organization.updateMemberRole")).toBe(
      friend === "member",
    );
  });

  it("takes it even with another user's session", async () => {
    const typed = await squatter();
    const other = await server.signUp("Other");
    expect((await proofs["verify-email"](typed, other.token)).answer.startedOver).toBe(true);
  });

  it.each(Object.entries(proofs))("by %s, with a session of theirs, changes nothing", async (_, prove) => {
    const honest = await squatter("member");
    expect((await prove(honest, honest.token)).answer).toEqual({ success: true });
    await server.client(honest.key).user.get.query();
    expect((await organizationsOf(honest.user.id)).map(({ id }) => id)).toEqual([honest.organizationId]);
  });
});

describe("a forgotten password", () => {
  async function forgotten() {
    const ada = await server.signUp("Ada");
    const verification = await smtp.next(ada.user.email);
    expect((await post("forgot-password", { email: ada.user.email })).status).toBe(200);
    return { ada, verification, reset: await smtp.next(ada.user.email) };
  }
  const newPassword = "staple battery horse";

  it("is replaced, once, and all sessions end", async () => {
    const { ada, verification, reset } = await forgotten();
    await post("verify-email", { token: verification.token }, ada.token);
    const { key } = await ada.client.apiKey.create.mutate({
      organizationId: ada.organizationId,
      name: "ci",
    });
    expect(reset.text).toContain("/reset-password#token=");
    expect(await post("reset-password", { token: reset.token, password: newPassword })).toMatchObject({
      answer: { success: true },
    });
    expect(await failure(ada.client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await signInWith(ada.user.email, password)).status).toBe(401);
    expect((await signInWith(ada.user.email, newPassword)).status).toBe(200);
    await server.client(key).user.get.query();
    const again = await post("reset-password", { token: reset.token, password: newPassword });
    expect(again).toMatchObject({ status: 400, reason: "token_invalid" });
  });

  it("ends keys and devices if the address was never proved before", async () => {
    const { ada, reset } = await forgotten();
    const { organizationId } = ada;
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
    await post("reset-password", { token: reset.token, password: newPassword });
    expect(await failure(server.client(key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    const { answer } = await signInWith(ada.user.email, newPassword);
    expect(answer.user?.emailVerified).toBe(true);
  });

  it("is reset once by several concurrent requests", async () => {
    const { ada, reset } = await forgotten();
    const tried = await Promise.all(
      ["first password", "second password"].map((attempt) =>
        post("reset-password", { token: reset.token, password: attempt }),
      ),
    );
    expect(tried.map(({ status }) => status).sort()).toEqual([200, 400]);
    const signedIn = await Promise.all(
      ["first password", "second password"].map((attempt) => signInWith(ada.user.email, attempt)),
    );
    expect(signedIn.map(({ status }) => status)).toEqual(
      tried.map(({ status }) => (status === 200 ? 200 : 401)),
    );
  });

  it("has a token for its own purpose alone, stored as a hash", async () => {
    const { verification, reset } = await forgotten();
    const swapped = await post("reset-password", { token: verification.token, password: newPassword });
    expect(swapped).toMatchObject({ reason: "token_invalid" });
    expect(await post("verify-email", { token: reset.token })).toMatchObject({ reason: "token_invalid" });
    const rows = JSON.stringify(await db.selectFrom("email_tokens").selectAll().execute());
    for (const { token } of [verification, reset]) expect(rows).not.toContain(token);
  });

  it("answers before the look-up, and so the same for every address", async () => {
    const ada = await server.signUp("Ada");
    await smtp.next(ada.user.email);
    const nobody = `${newId()}@example.com`;
    // A look-up of the address has to wait until this transaction ends.
    const trx = await db.startTransaction().execute();
    await sql`lock table users in access exclusive mode`.execute(trx);
    const answers = [];
    for (const email of [ada.user.email, nobody]) answers.push(await post("forgot-password", { email }));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual({ status: 200, answer: { success: true }, reason: undefined });
    await trx.commit().execute();
    await smtp.next(ada.user.email);
    await server.services.mailer.idle();
    expect(smtp.mails.filter(({ to }) => to.includes(nobody))).toEqual([]);
  });
});

describe("an invitation that is mailed", () => {
  const invite = async (email: string) => {
    const ada = await server.signUp("Ada");
    const { organizationId } = ada;
    const { token } = await ada.client.organization.invite.mutate({ organizationId, email, role: "member" });
    const mail = await smtp.next(email);
    expect(mail).toMatchObject({ subject: "You are invited to Ada" });
    expect(mail.text).toContain("/accept-invitation#token=");
    return { ada, organizationId, token, mailed: mail.token };
  };

  it("is accepted by its link, which proves the address", async () => {
    const bob = await server.signUp("Bob");
    await smtp.next(bob.user.email);
    const { mailed, organizationId } = await invite(bob.user.email);
    const seen = await server.client().organization.getInvitation.query({ token: mailed });
    expect(seen).toMatchObject({ email: bob.user.email, status: "pending" });
    const joined = await bob.client.organization.acceptInvitation.mutate({ token: mailed });
    expect(joined.id).toBe(organizationId);
    expect(await emailVerified(bob)).toBe(true);
  });

  it("is not accepted by the inviter's token while the address is not verified", async () => {
    const bob = await server.signUp("Bob");
    const verification = await smtp.next(bob.user.email);
    const { token } = await invite(bob.user.email);
    const accept = () => bob.client.organization.acceptInvitation.mutate({ token });
    expect(await failure(accept())).toMatchObject({ code: "FORBIDDEN", reason: "email_unverified" });
    await post("verify-email", { token: verification.token }, bob.token);
    await accept();
  });

  it("allows a sign-up by its link, and none by the inviter's token", async () => {
    const email = `${newId()}@example.com`;
    const { token, mailed } = await invite(email);
    const signUp = (invitationToken: string) =>
      post("sign-up", { email, password, name: "Bob", invitationToken });
    expect(await signUp(token)).toMatchObject({ status: 403, reason: "email_unverified" });
    expect((await signUp(mailed)).answer.user?.emailVerified).toBe(true);
  });
});
