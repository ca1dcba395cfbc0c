import { newId } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { failure, password, useTestServer } from "../testing/server";
import { useSmtpServer } from "../testing/smtp";

const smtp = await useSmtpServer();
const server = await useTestServer({ smtp: { url: smtp.url, from: "Grove <grove@example.com>" } });
const { db } = server.database;

/** Of all routes together. */
interface Answer {
  success?: true;
  user?: { emailVerified: boolean };
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
    expect(await emailVerified(ada)).toBe(false);
    expect(await post("verify-email", { token: mail.token })).toMatchObject({ answer: { success: true } });
    expect(await emailVerified(ada)).toBe(true);
    expect(await post("verify-email", { token: mail.token })).toMatchObject({
      status: 400,
      reason: "token_invalid",
    });
  });

  it("is mailed again when asked for, and the mail before is good no more", async () => {
    const ada = await server.signUp("Ada");
    const first = await smtp.next(ada.user.email);
    expect((await post("resend-verification", {}, ada.token)).status).toBe(200);
    const second = await smtp.next(ada.user.email);
    expect(await post("verify-email", { token: first.token })).toMatchObject({ reason: "token_invalid" });
    expect((await post("verify-email", { token: second.token })).status).toBe(200);
    expect((await post("resend-verification", {})).status).toBe(401);
  });

  it("ends with its time", async () => {
    const ada = await server.signUp("Ada");
    const { token } = await smtp.next(ada.user.email);
    await db.updateTable("email_tokens").set({ expires_at: new Date() }).execute();
    expect(await post("verify-email", { token })).toMatchObject({ reason: "token_invalid" });
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

  it("is set anew, once, and all sessions end", async () => {
    const { ada, verification, reset } = await forgotten();
    await post("verify-email", { token: verification.token });
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

  it("takes keys and devices along where nobody had proved the address before", async () => {
    const { ada, reset } = await forgotten();
    const { organizationId } = ada;
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
    await post("reset-password", { token: reset.token, password: newPassword });
    expect(await failure(server.client(key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    const { answer } = await signInWith(ada.user.email, newPassword);
    expect(answer.user?.emailVerified).toBe(true);
  });

  it("is reset once by several at once", async () => {
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

  it("is good for its own purpose alone, and is stored as a hash", async () => {
    const { verification, reset } = await forgotten();
    const swapped = await post("reset-password", { token: verification.token, password: newPassword });
    expect(swapped).toMatchObject({ reason: "token_invalid" });
    expect(await post("verify-email", { token: reset.token })).toMatchObject({ reason: "token_invalid" });
    const rows = JSON.stringify(await db.selectFrom("email_tokens").selectAll().execute());
    for (const { token } of [verification, reset]) expect(rows).not.toContain(token);
  });

  it("answers before it has looked, and so alike, whoever is meant", async () => {
    const ada = await server.signUp("Ada");
    await smtp.next(ada.user.email);
    const nobody = `${newId()}@example.com`;
    // Whoever looks for an address has to wait until this transaction ends.
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

it("an invitation is mailed", async () => {
  const ada = await server.signUp("Ada");
  const bob = await server.signUp("Bob");
  await smtp.next(bob.user.email);
  const { token } = await ada.client.organization.invite.mutate({
    organizationId: ada.organizationId,
    email: bob.user.email,
    role: "member",
  });
  const mail = await smtp.next(bob.user.email);
  expect(mail).toMatchObject({ subject: "You are invited to Ada", token });
  expect(mail.text).toContain("/accept-invitation#token=");
});
