import { describe, expect, it } from "vitest";
import { failure, useHttpServer } from "../testing/http";

const { server, build, db, post, person } = await useHttpServer({ local: true });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const makeLink = async (token: string, body: object = {}) => {
  const response = await post("/api/auth/links", body, bearer(token));
  expect(response.statusCode).toBe(200);
  return response.json<{ code: string; expiresAt: string }>();
};
const open = (code: string) => post("/api/auth/link", { code });
const session = (token: string) =>
  server.inject({ method: "GET", url: "/api/auth/session", headers: bearer(token) });

describe("a one-time link", () => {
  it("begins a session of its maker, without a cookie", async () => {
    const { user, token } = await person();
    const { code, expiresAt } = await makeLink(token);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const response = await open(code);
    expect([response.statusCode, response.headers["set-cookie"]]).toEqual([200, undefined]);
    const begun = await session(response.json().token);
    expect(begun.json()).toMatchObject({ user: { id: user.id } });
  });

  it("works once, even for concurrent attempts", async () => {
    const { code } = await makeLink((await person()).token);
    const answers = await Promise.all(Array.from({ length: 5 }, () => open(code)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(failure(await open(code))).toMatchObject({ status: 400, reason: "token_invalid" });
  });

  it("is stored as a hash, is replaced by the next one, and ends", async () => {
    const { token } = await person();
    const first = await makeLink(token);
    expect(JSON.stringify(await db.selectFrom("email_tokens").selectAll().execute())).not.toContain(
      first.code,
    );
    const second = await makeLink(token);
    expect(failure(await open(first.code))).toMatchObject({ reason: "token_invalid" });
    await db.updateTable("email_tokens").set({ expires_at: new Date() }).execute();
    expect(failure(await open(second.code))).toMatchObject({ reason: "token_invalid" });
  });

  it("signs out the browsers of earlier links if requested, and no others", async () => {
    const { token } = await person();
    const browser = async () => (await open((await makeLink(token)).code)).json<{ token: string }>().token;
    const [first, other] = [await browser(), (await person()).token];
    await makeLink(token);
    expect((await session(first)).statusCode).toBe(200);
    await makeLink(token, { endEarlier: true });
    expect((await session(first)).statusCode).toBe(401);
    for (const kept of [token, other]) expect((await session(kept)).statusCode).toBe(200);
  });

  it("is made for sessions only, and no other token of a mail is one", async () => {
    expect((await post("/api/auth/links", {})).statusCode).toBe(401);
    expect(failure(await open("nothing"))).toMatchObject({ reason: "token_invalid" });
  });

  it("does not exist on a server", async () => {
    const other = await build({});
    for (const url of ["/api/auth/links", "/api/auth/link"])
      expect((await other.inject({ method: "POST", url, payload: {} })).statusCode).toBe(404);
  });
});
