import { describe, expect, it } from "vitest";
import { password, useTestServer } from "../testing/server";
import { createLimits, networkOf, RateLimit } from "./rateLimits";

const many = { max: 1_000, windowMs: 60_000 };
const manyInTotal = { ...many, maxTotal: 1_000 };
const minute = (max: number) => ({ max, windowMs: 60_000 });

const strict = await useTestServer({
  trustProxy: true,
  limits: {
    address: minute(5),
    account: { ...minute(3), maxTotal: 6 },
    mail: { ...minute(2), maxTotal: 3 },
    invitationsReceived: { ...minute(2), maxTotal: 3 },
    invitations: minute(3),
    deliveries: many,
    testNotifications: many,
  },
});

async function post(route: string, body: object, from: string) {
  const response = await fetch(`${strict.url}/api/auth/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: { data: { code: string; reason?: string } } };
  return {
    status: response.status,
    code: error?.data.code,
    reason: error?.data.reason,
    retryAfter: Number(response.headers.get("retry-after") ?? Number.NaN),
  };
}
/** Signs a user up from this address. */
async function person(name: string, from: string) {
  const response = await fetch(`${strict.url}/api/auth/sign-up`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ name, email: `${name}@example.com`, password }),
  });
  const { token } = (await response.json()) as { token: string };
  const [organization] = await strict.client(token).organization.list.query();
  return { token, organizationId: organization?.id ?? "" };
}
const invite = (by: { token: string; organizationId: string }, email: string) =>
  fetch(`${strict.url}/api/trpc/organization.invite`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${by.token}` },
    body: JSON.stringify({ organizationId: by.organizationId, email, role: "member" }),
  });
const limited = { status: 429, code: "TOO_MANY_REQUESTS", reason: "rate_limited" };

describe("over HTTP", () => {
  it("an address has a limited number of attempts in total, and learns when to try again", async () => {
    const wrong = (account: number) => ({ email: `${account}@example.com`, password: "wrong" });
    for (const account of [1, 2, 3])
      expect(await post("sign-in", wrong(account), "198.51.100.1")).toMatchObject({ status: 401 });
    expect(await post("verify-email", { token: "x" }, "198.51.100.1")).toMatchObject({ status: 400 });
    expect(await post("sign-up", {}, "198.51.100.1")).toMatchObject({ status: 400 });
    const last = await post("sign-in", wrong(4), "198.51.100.1");
    expect(last).toMatchObject(limited);
    expect(last.retryAfter).toBeGreaterThan(0);
    expect(last.retryAfter).toBeLessThanOrEqual(60);
    expect(await post("sign-in", wrong(4), "198.51.100.2")).toMatchObject({ status: 401 });
  });

  it("a stranger who tries an account's password locks out only themselves", async () => {
    const ada = await strict.signUp("Ada");
    const guess = (email: string, from: string) => post("sign-in", { email, password: "wrong" }, from);
    for (const [email, from] of [
      [ada.user.email, "203.0.113.1"],
      ["nobody@example.com", "203.0.113.2"],
    ] as const) {
      for (let tried = 0; tried < 3; tried += 1)
        expect(await guess(email, from)).toMatchObject({ status: 401 });
      expect(await post("sign-in", { email, password }, from)).toMatchObject(limited);
    }
    expect(await post("sign-in", { email: ada.user.email, password }, "203.0.113.9")).toMatchObject({
      status: 200,
    });
    await ada.client.user.changePassword.mutate({ currentPassword: password, newPassword: password });
  });

  it("an account's password has a limited number of attempts from all addresses together", async () => {
    const email = "spread@example.com";
    for (let at = 0; at < 6; at += 1)
      expect(await post("sign-in", { email, password: "wrong" }, `192.0.2.${100 + at}`)).toMatchObject({
        status: 401,
      });
    expect(await post("sign-in", { email, password }, "192.0.2.110")).toMatchObject(limited);
  });

  it("a right password does not count as a guess", async () => {
    const { user } = await strict.signUp("Ada");
    for (const at of [21, 22, 23, 24, 25])
      expect(await post("sign-in", { email: user.email, password }, `203.0.113.${at}`)).toMatchObject({
        status: 200,
      });
  });

  it("the address is the one that the proxy saw, not one that a client made up", async () => {
    const wrong = { email: "forger@example.com", password: "wrong" };
    for (let made = 0; made < 5; made += 1)
      await post("verify-email", { token: "x" }, `192.0.2.${made}, 203.0.113.77`);
    expect(await post("sign-in", wrong, "192.0.2.99, 203.0.113.77")).toMatchObject(limited);
  });

  it("a mailbox gets a limited number of mails in total, including those by tRPC", async () => {
    const bob = await strict.signUp("Bob");
    for (const email of [bob.user.email, "someone@example.com"]) {
      const forgot = (at: number) => post("forgot-password", { email }, `203.0.113.${at}`);
      for (const at of [11, 11]) expect(await forgot(at)).toMatchObject({ status: 200 });
      expect(await forgot(11)).toMatchObject(limited);
      expect(await forgot(12)).toMatchObject({ status: 200 });
      expect(await forgot(13)).toMatchObject(limited);
    }
  });

  it("a mailbox gets a limited number of invitations, which do not count against its resets", async () => {
    const [bob, eve] = [await person("bob", "192.0.2.201"), await person("eve", "192.0.2.202")];
    const email = "invited@example.com";
    for (let sent = 0; sent < 2; sent += 1) expect((await invite(bob, email)).status).toBe(200);
    const refused = await invite(bob, email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await invite(eve, email)).status).toBe(200);
    expect((await invite(eve, email)).status).toBe(429);
    expect(await post("forgot-password", { email }, "203.0.113.31")).toMatchObject({ status: 200 });
  });

  it("a user can send a limited number of invitations", async () => {
    const carol = await strict.signUp("Carol");
    const statuses = [];
    for (const at of [1, 2, 3, 4]) statuses.push((await invite(carol, `carols-${at}@example.com`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("RateLimit", () => {
  it("forgets the least recently used key, so that memory is bounded", () => {
    const limit = new RateLimit({ max: 1, windowMs: 60_000 });
    limit.take("first");
    expect(() => limit.take("first")).toThrow();
    for (let other = 0; other < 20_000; other += 1) limit.take(`other ${other}`);
    limit.take("first");
  });

  it("begins again when the window has passed", async () => {
    const limit = new RateLimit({ max: 1, windowMs: 50 });
    limit.take("a");
    await expect.poll(() => taken(limit)).toBe(true);
  });

  const taken = (limit: RateLimit) => {
    try {
      limit.take("a");
      return true;
    } catch {
      return false;
    }
  };

  it("counts each kind of attempt separately", () => {
    const limits = createLimits({
      address: minute(1),
      account: manyInTotal,
      mail: manyInTotal,
      invitationsReceived: manyInTotal,
      invitations: many,
      deliveries: many,
      testNotifications: many,
    });
    limits.address.take("a");
    limits.account.take("a", "here");
    limits.address.take("b");
    expect(() => limits.address.take("a")).toThrow("Try again in 60 seconds.");
  });
});

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::9", "2001:db8:1:2"],
  ["2001:db8::9", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("the network of %s is %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
