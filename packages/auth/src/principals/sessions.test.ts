import { describe, expect, it } from "vitest";
import { createAuth } from "../auth";
import { hashSecret } from "../secrets/secrets";
import { useTestAuth } from "../testing";
import { resolvePrincipal } from "./resolve";
import { blankSessionCookie, deleteExpiredSessions, readSession, sessionCookie } from "./sessions";

const { auth, db, notifier, person, counted } = await useTestAuth();
const day = 86_400_000;

const stored = (secret: string) =>
  db.selectFrom("sessions").selectAll().where("id_hash", "=", hashSecret(secret)).executeTakeFirst();
const expiring = (secret: string, inMs: number) =>
  db
    .updateTable("sessions")
    .set({ expires_at: new Date(Date.now() + inMs) })
    .where("id_hash", "=", hashSecret(secret))
    .execute();

describe("a session", () => {
  it("lasts 30 days, and is read in one statement with all memberships", async () => {
    const { user, secret, organizationId } = await person();
    const other = await person("Charles Babbage");
    await db
      .insertInto("memberships")
      .values({ organization_id: other.organizationId, user_id: user.id, role: "member" })
      .execute();

    const { result, statements } = await counted(() => readSession(auth, secret));
    expect(statements).toBe(1);
    expect(result).toMatchObject({ kind: "session", fresh: false, secret, user });
    expect(result?.sessionId).toBe((await stored(secret))?.id);
    expect(result?.memberships).toEqual(
      new Map([
        [organizationId, "owner"],
        [other.organizationId, "member"],
      ]),
    );
    expect(Math.abs((result?.expiresAt.getTime() ?? 0) - Date.now() - 30 * day)).toBeLessThan(day);
  });

  it("is read for a user without any membership", async () => {
    const { user, secret } = await person();
    await db.deleteFrom("memberships").where("user_id", "=", user.id).execute();
    expect((await readSession(auth, secret))?.memberships).toEqual(new Map());
  });

  it("is renewed after its half-life, once", async () => {
    const { secret } = await person();
    await expiring(secret, 14 * day);
    const { result, statements } = await counted(() => readSession(auth, secret));
    expect(statements).toBe(2);
    expect(result?.fresh).toBe(true);
    expect((await stored(secret))?.expires_at).toBe(result?.expiresAt.toISOString());
    expect(result?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * day);
    expect((await readSession(auth, secret))?.fresh).toBe(false);
  });

  it("is left as it is before its half-life", async () => {
    const { secret } = await person();
    await expiring(secret, 16 * day);
    const { result, statements } = await counted(() => readSession(auth, secret));
    expect({ fresh: result?.fresh, statements }).toEqual({ fresh: false, statements: 1 });
  });

  it("is not valid once it has expired, and is deleted", async () => {
    const { secret } = await person();
    await expiring(secret, -1);
    expect(await readSession(auth, secret)).toBeNull();
    expect(await stored(secret)).toBeUndefined();
  });

  it("is neither valid nor renewed while its user is disabled", async () => {
    const { user, secret } = await person();
    await expiring(secret, 14 * day);
    const before = await stored(secret);
    const disable = (disabled_at: Date | null) =>
      db.updateTable("users").set({ disabled_at }).where("id", "=", user.id).execute();
    await disable(new Date());
    expect(await resolvePrincipal(auth, secret)).toBeNull();
    expect(await stored(secret)).toEqual(before);
    await disable(null);
    expect(await resolvePrincipal(auth, secret)).not.toBeNull();
  });

  it("records its last use, to the minute", async () => {
    const { secret } = await person();
    const longAgo = new Date("2026-01-01");
    await db
      .updateTable("sessions")
      .set({ last_used_at: longAgo })
      .where("id_hash", "=", hashSecret(secret))
      .execute();
    await readSession(auth, secret);
    await expect.poll(async () => (await stored(secret))?.last_used_at).not.toEqual(longAgo);
    const recorded = await stored(secret);
    expect((await counted(() => readSession(auth, secret))).statements).toBe(1);
    expect(await stored(secret)).toEqual(recorded);
  });
});

it("deletes expired sessions, and announces each", async () => {
  const gone = await person();
  const kept = await person();
  await expiring(gone.secret, -1);
  const heard: string[] = [];
  const publicId = (await stored(gone.secret))?.id ?? "";
  const stop = notifier.subscribe("credential_revoked", publicId, ({ kind }) => heard.push(kind));
  await deleteExpiredSessions(auth.db);
  await expect.poll(() => heard).toEqual(["notification"]);
  stop();
  expect(await stored(gone.secret)).toBeUndefined();
  expect(await stored(kept.secret)).toBeDefined();
});

describe("the cookie", () => {
  it("is for the server, this site and TLS only", () => {
    const { name, value, attributes } = sessionCookie(auth, "grs_secret");
    expect({ name, value }).toEqual({ name: "__Host-grove_session", value: "grs_secret" });
    expect(attributes).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", secure: true });
  });

  it("outlives the session, which the database ends", () => {
    expect(sessionCookie(auth, "grs_secret").attributes.maxAge).toBeGreaterThan(30 * 86_400);
  });

  it("travels without TLS if the service has none", () => {
    const local = createAuth({ ...auth, secureCookies: false });
    const { name, attributes } = sessionCookie(local, "grs_secret");
    expect(name).toBe("grove_session");
    expect(attributes.secure).toBe(false);
  });

  it("is removed by an empty one", () => {
    expect(blankSessionCookie(auth)).toMatchObject({
      name: "__Host-grove_session",
      value: "",
      attributes: { maxAge: 0 },
    });
  });
});
