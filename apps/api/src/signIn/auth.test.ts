import { newId } from "@grove/db";
import { authOptions, sessionInfo, signedIn } from "@grove/schemas";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, useHttpServer } from "../testing/http";
import { password } from "../testing/server";

const { server, build, db, post, person } = await useHttpServer({
  publicUrl: "https://grove.example.com",
  adminEmailDomain: "example.com",
});
const origin = { origin: "https://grove.example.com" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const session = (headers: Record<string, string>) =>
  server.inject({ method: "GET", url: "/api/auth/session", headers });

describe("sign-up", () => {
  it("returns the user and the token, and sets the cookie", async () => {
    const { response, user, token } = await person();
    expect(response.statusCode).toBe(200);
    expect(signedIn.strict().parse(response.json())).toEqual(response.json());
    expect(user).toMatchObject({ name: "Ada Lovelace", image: "", emailVerified: false, isAdmin: false });
    expect(response.cookies).toEqual([
      expect.objectContaining({
        name: "__Host-grove_session",
        value: token,
        httpOnly: true,
        secure: true,
        sameSite: "Lax",
        path: "/",
      }),
    ]);
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  it("takes any spelling of an address as one account", async () => {
    const email = `${newId()}@example.com`;
    const first = await post("/api/auth/sign-up", {
      email: ` ${email.toUpperCase()} `,
      password,
      name: "Ada",
    });
    expect(first.json().user.email).toBe(email);
    const second = await post("/api/auth/sign-up", { email, password, name: "Ada" });
    expect(failure(second)).toMatchObject({ status: 409, code: "CONFLICT", reason: "email_taken" });
  });

  it.each([
    ["a short password", { password: "short" }],
    ["a long password", { password: "x".repeat(257) }],
    ["no address", { email: "nobody" }],
    ["no name", { name: " " }],
    ["an unknown field", { isAdmin: true }],
  ])("refuses %s", async (_, change) => {
    const input = { email: `${newId()}@example.com`, password, name: "Ada", ...change };
    const response = await post("/api/auth/sign-up", input);
    expect(failure(response)).toMatchObject({ status: 400, code: "BAD_REQUEST" });
    expect(response.cookies).toEqual([]);
  });

  it("is refused to everyone when it is closed", async () => {
    const closed = await build({ signUp: "closed" });
    const payload = { email: `${newId()}@example.com`, password, name: "Ada" };
    const response = await closed.inject({ method: "POST", url: "/api/auth/sign-up", payload });
    expect(failure(response)).toMatchObject({ status: 403, code: "FORBIDDEN", reason: "sign_up_closed" });
  });
});

it("offers a page the ways to sign in, and the session", async () => {
  const options = (headers: Record<string, string>) =>
    server.inject({ method: "GET", url: "/api/auth/options", headers });
  const { user, token } = await person();
  for (const [headers, session] of [
    [{}, null],
    [bearer("grs_wrong"), null],
    [bearer(token), { user }],
  ] as const) {
    const response = await options(headers);
    expect(authOptions.strict().parse(response.json())).toMatchObject({
      signUp: "open",
      github: false,
      mail: false,
      local: false,
      linkCommand: null,
      session,
    });
  }
});

describe("sign-in", () => {
  it("returns the user and another token", async () => {
    const { user, token } = await person();
    const response = await post("/api/auth/sign-in", { email: user.email.toUpperCase(), password });
    expect(signedIn.strict().parse(response.json())).toEqual({
      user,
      token: expect.not.stringMatching(token),
    });
    expect((await session(bearer(response.json().token))).statusCode).toBe(200);
  });

  it("answers a wrong password and an unknown address alike", async () => {
    const { user } = await person();
    const bodies = [];
    for (const email of [user.email, `${newId()}@example.com`]) {
      const response = await post("/api/auth/sign-in", { email, password: "wrong" });
      expect(failure(response)).toMatchObject({
        status: 401,
        code: "UNAUTHORIZED",
        reason: "invalid_credentials",
      });
      expect(response.cookies).toEqual([]);
      const { requestId, ...data } = response.json().error.data;
      bodies.push({ ...response.json().error, data });
    }
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it("records its address and program", async () => {
    const { user } = await person();
    await post("/api/auth/sign-in", { email: user.email, password }, { "user-agent": "Netscape/4.0" });
    const sessions = await db
      .selectFrom("sessions")
      .select(["ip", "user_agent"])
      .where("user_id", "=", user.id)
      .execute();
    expect(sessions).toContainEqual({ ip: "127.0.0.1", user_agent: "Netscape/4.0" });
  });

  it("accepts only JSON, so that no form of another site can do it", async () => {
    const { user } = await person();
    const payload = JSON.stringify({ email: user.email, password });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const response = await server.inject({
        method: "POST",
        url: "/api/auth/sign-in",
        payload,
        headers: { "content-type": type },
      });
      expect([400, 415]).toContain(response.statusCode);
      expect(response.cookies).toEqual([]);
    }
  });
});

describe("session", () => {
  it("returns who is signed in, by cookie or token", async () => {
    const { user, token } = await person();
    const ways: Record<string, string>[] = [
      { cookie: `__Host-grove_session=${token}` },
      bearer(token),
      { "x-api-key": token },
    ];
    for (const headers of ways) {
      const response = await session(headers);
      expect(sessionInfo.strict().parse(response.json())).toMatchObject({ user });
      expect(response.headers["cache-control"]).toBe("no-store");
      expect(response.cookies).toEqual([]);
    }
  });

  it("sends a renewed cookie, and only to a caller that has one", async () => {
    const renewed = async (headers: (token: string) => Record<string, string>) => {
      const { user, token } = await person();
      const soon = new Date(Date.now() + 86_400_000);
      await db.updateTable("sessions").set({ expires_at: soon }).where("user_id", "=", user.id).execute();
      const response = await session(headers(token));
      expect(Date.parse(response.json().session.expiresAt)).toBeGreaterThan(soon.getTime());
      return response.cookies.map(({ value }) => value === token);
    };
    expect(await renewed((token) => ({ cookie: `__Host-grove_session=${token}` }))).toEqual([true]);
    expect(await renewed(bearer)).toEqual([]);
  });

  it("asks to sign in without one", async () => {
    const ways: Record<string, string>[] = [
      {},
      bearer("nonsense"),
      { cookie: "__Host-grove_session=nonsense" },
    ];
    for (const headers of ways)
      expect(failure(await session(headers))).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });

  it("ignores a cookie that a sibling subdomain may have planted", async () => {
    const { token } = await person();
    expect((await session({ cookie: `grove_session=${token}` })).statusCode).toBe(401);
  });
});

describe("sign-out", () => {
  it.each([
    ["the cookie", (token: string) => ({ cookie: `__Host-grove_session=${token}`, ...origin })],
    ["the token", bearer],
  ])("ends the session of %s, and deletes the cookie", async (_, headers) => {
    const { token } = await person();
    const response = await post("/api/auth/sign-out", {}, headers(token));
    expect(response.json()).toEqual({ success: true });
    expect(response.cookies).toEqual([
      expect.objectContaining({ name: "__Host-grove_session", value: "", maxAge: 0 }),
    ]);
    expect((await session(bearer(token))).statusCode).toBe(401);
    expect((await post("/api/auth/sign-out", {}, headers(token))).statusCode).toBe(200);
  });

  it("does nothing without a session, and refuses keys", async () => {
    expect((await server.inject({ method: "POST", url: "/api/auth/sign-out" })).statusCode).toBe(200);
    const key = bearer(`grk_${"a".repeat(43)}`);
    expect(failure(await post("/api/auth/sign-out", {}, key))).toMatchObject({ reason: "session_required" });
  });
});

it("answers no request body with a 500", async () => {
  const route = fc.constantFrom(
    "sign-up",
    "sign-in",
    "sign-out",
    "verify-email",
    "resend-verification",
    "forgot-password",
    "reset-password",
  );
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }),
    // Well-formed except for the texts: NUL, half surrogates, anything.
    fc
      .record(
        {
          email: fc.emailAddress(),
          password: fc.string({ unit: "binary" }),
          name: fc.string({ unit: "binary" }),
          token: fc.string({ unit: "binary" }),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const type = fc.constantFrom("application/json", "text/plain", "application/json; charset=utf-8");
  await fc.assert(
    fc.asyncProperty(route, body, type, async (name, payload, contentType) => {
      const headers = { "content-type": contentType };
      const response = await server.inject({ method: "POST", url: `/api/auth/${name}`, payload, headers });
      expect(response.statusCode).toBeLessThan(500);
    }),
  );
});
