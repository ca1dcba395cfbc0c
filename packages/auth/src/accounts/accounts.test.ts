import { newId } from "@grove/db";
import { describe, expect, it } from "vitest";
import { resolvePrincipal } from "../principals/resolve";
import { signOut } from "../principals/sessions";
import { hashSecret } from "../secrets/secrets";
import { meta, password, refusal, useTestAuth } from "../testing";
import { signIn, signUp } from "./accounts";
import { hashPassword } from "./passwords";

const { auth, db, notifier, person, counted } = await useTestAuth();

const newEmail = () => `${newId()}@example.com`;
const sessionsOf = (userId: string) =>
  db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute();

describe("signUp", () => {
  it("makes an account, its organization and a session", async () => {
    const email = newEmail();
    const { user, secret } = await signUp(auth, { email, password, name: "Grace Hopper" }, meta);
    expect(user).toMatchObject({ email, name: "Grace Hopper", image: null, emailVerified: false });
    const principal = await resolvePrincipal(auth, secret);
    expect(principal).toMatchObject({ kind: "session", user });
    const organization = await db
      .selectFrom("organizations")
      .innerJoin("memberships", "organization_id", "organizations.id")
      .select(["name", "slug", "role"])
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(organization).toEqual({ name: "Grace Hopper", slug: "grace-hopper", role: "owner" });
  });

  it("stores neither the password nor the session's secret", async () => {
    const { user, secret } = await person();
    const stored = await db
      .selectFrom("users")
      .selectAll()
      .where("id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(stored.password_hash).toMatch(/^\$argon2id\$/);
    const rows = JSON.stringify([stored, await sessionsOf(user.id)]);
    expect(rows).not.toContain(password);
    expect(rows).not.toContain(secret.slice(4));
  });

  it("gives an email one account, however many sign up together, and keeps nothing of the others", async () => {
    const email = newEmail();
    const name = `Twin ${newId()}`;
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => signUp(auth, { email, password, name }, meta)),
    );
    const refused = attempts.filter((attempt) => attempt.status === "rejected");
    expect(refused).toHaveLength(4);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: "CONFLICT", reason: "email_taken" });
    expect(await db.selectFrom("organizations").where("name", "=", name).selectAll().execute()).toHaveLength(
      1,
    );
  });
});

describe("signIn", () => {
  it("begins a session beside the existing ones", async () => {
    const { user, secret } = await person();
    const again = await signIn(
      auth,
      { email: user.email, password },
      { ip: "198.51.100.1", userAgent: null },
    );
    expect(again.user).toEqual(user);
    expect(again.secret).not.toBe(secret);
    const sessions = await sessionsOf(user.id);
    expect(sessions.map(({ ip, user_agent }) => ({ ip, user_agent }))).toEqual(
      expect.arrayContaining([
        { ip: "203.0.113.7", user_agent: "vitest" },
        { ip: "198.51.100.1", user_agent: null },
      ]),
    );
  });

  it("answers a wrong password, an unknown email and an account without password alike", async () => {
    const { user } = await person();
    const withoutPassword = await person();
    await db
      .updateTable("users")
      .set({ password_hash: null })
      .where("id", "=", withoutPassword.user.id)
      .execute();
    const attempts = [
      { email: user.email, password: "wrong horse battery" },
      { email: newEmail(), password },
      { email: withoutPassword.user.email, password },
    ];
    const answers = [];
    for (const attempt of attempts) answers.push(await counted(() => refusal(signIn(auth, attempt, meta))));
    for (const { result, statements } of answers) {
      expect(statements).toBe(1);
      expect({ ...result, message: result.message }).toEqual({
        ...answers[0]?.result,
        message: answers[0]?.result.message,
      });
      expect(result).toMatchObject({ code: "UNAUTHORIZED", reason: "invalid_credentials" });
    }
  });

  it("reports that an account is disabled only with the right password", async () => {
    const { user } = await person();
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", user.id).execute();
    const attempt = (tried: string) => refusal(signIn(auth, { email: user.email, password: tried }, meta));
    expect(await attempt(password)).toMatchObject({ code: "UNAUTHORIZED", reason: "account_disabled" });
    expect(await attempt("wrong horse battery")).toMatchObject({ reason: "invalid_credentials" });
  });

  it("begins no session with a password that changes during sign-in", async () => {
    const { user } = await person();
    const other = await hashPassword("another horse battery");
    let changed = () => {};
    const change = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const signingIn = refusal(change.then(() => signIn(auth, { email: user.email, password }, meta)));
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: other }).where("id", "=", user.id).execute();
      await trx.deleteFrom("sessions").where("user_id", "=", user.id).execute();
      changed();
      // Takes as long as the check of the old password, which PostgreSQL still shows until this is committed.
      await hashPassword("yet another horse");
    });
    await signingIn;
    expect(await sessionsOf(user.id)).toEqual([]);
  });

  it("cuts a client's name and address to their limits", async () => {
    const { user } = await person();
    const { secret } = await signIn(
      auth,
      { email: user.email, password },
      { ip: "f".repeat(1_000), userAgent: "x".repeat(10_000) },
    );
    const stored = await db
      .selectFrom("sessions")
      .select(["ip", "user_agent"])
      .where("id_hash", "=", hashSecret(secret))
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ ip: "f".repeat(64), user_agent: "x".repeat(500) });
  });
});

describe("signOut", () => {
  it("ends this session, announces it, and may be repeated", async () => {
    const { user, secret } = await person();
    const other = await signIn(auth, { email: user.email, password }, meta);
    const principal = await resolvePrincipal(auth, secret);
    if (principal?.kind !== "session") throw new Error("There is no session.");
    const heard: string[] = [];
    const stop = notifier.subscribe("credential_revoked", principal.sessionId, ({ kind }) =>
      heard.push(kind),
    );

    await signOut(auth, secret);
    await expect.poll(() => heard).toEqual(["notification"]);
    stop();
    expect(await resolvePrincipal(auth, secret)).toBeNull();
    expect(await resolvePrincipal(auth, other.secret)).not.toBeNull();
    await signOut(auth, secret);
  });

  it("refuses API keys and devices, and does nothing for a string that is not a credential", async () => {
    const key = `grk_${"a".repeat(43)}`;
    expect(await refusal(signOut(auth, key))).toMatchObject({
      code: "FORBIDDEN",
      reason: "session_required",
    });
    expect((await counted(() => signOut(auth, "nonsense"))).statements).toBe(0);
  });
});
