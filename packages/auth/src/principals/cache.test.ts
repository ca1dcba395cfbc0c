import { protocol } from "@grove/schemas";
import { expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { requireDevice, requireMembership, requireUser } from "../guards";
import { createSecret, hashSecret } from "../secrets/secrets";
import { refusal, useTestAuth } from "../testing";
import { type Cached, PrincipalCache } from "./cache";
import type { Principal, UserPrincipal } from "./principal";
import { resolvePrincipal } from "./resolve";
import { createSession } from "./sessions";

const { auth, db, person, apiKey, device, counted } = await useTestAuth();

const found = <Allowed extends Principal>(secret: string, guard: (principal: Principal | null) => Allowed) =>
  counted(() => auth.principalCache.find(secret, guard, () => resolvePrincipal(auth, secret)));

/** The cached principal of an API key that was just looked up. */
async function cachedKey({ secret }: { secret: string }): Promise<Cached<UserPrincipal>> {
  await resolvePrincipal(auth, secret);
  const { result } = await found(secret, requireUser);
  if (result.kind !== "cached") throw new Error("It was looked up.");
  return result;
}

it("is accepted nowhere as a principal, and shows nothing that could be taken for one", () => {
  expectTypeOf<Cached<UserPrincipal>>().not.toExtend<Principal>();
  expectTypeOf<Cached<UserPrincipal>>().not.toExtend<Parameters<typeof requireUser>[0]>();
  expectTypeOf<Cached<UserPrincipal>>().not.toExtend<Parameters<typeof requireMembership>[0]>();
  expectTypeOf<keyof Cached<UserPrincipal>>().toEqualTypeOf<
    "kind" | "credential" | "guarded" | "lookUp" | "verifiedIn"
  >();
});

const requirePrincipal = (principal: Principal | null) =>
  principal?.kind === "device" ? requireDevice(principal) : requireUser(principal);

it.each(["api_key", "device"] as const)(
  "caches a key (%s) that was looked up, and sends no statement",
  async (kind) => {
    const owner = await person();
    const { secret } = await (kind === "device" ? device(owner) : apiKey(owner));
    const first = await found(secret, requirePrincipal);
    expect(first).toMatchObject({ result: { kind }, statements: 1 });
    const { result: cached, statements } = await found(secret, requirePrincipal);
    expect(statements).toBe(0);
    if (cached.kind !== "cached") throw new Error("It was looked up.");
    const given = await cached.verifiedIn(
      async (parameters) => parameters,
      (principal) => ({ principal }),
    );
    expect(given).toEqual({ principal: first.result });
    expect(await counted(() => cached.lookUp())).toEqual({ result: first.result, statements: 1 });
  },
);

it("keeps an API key for half a minute, and a device's key for as long as its stream", async () => {
  const owner = await person();
  const secrets = [await apiKey(owner), await device(owner)].map(({ secret }) => secret);
  const cache = new PrincipalCache();
  const isCached = (secret: string) =>
    cache
      .find(secret, requirePrincipal, async () => null)
      .then(
        () => true,
        () => false,
      );
  const principals = await Promise.all(secrets.map((secret) => resolvePrincipal(auth, secret)));

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const pass = (ms: number) => {
    now += ms;
    // The cache reads the clock at most once a second.
    vi.advanceTimersByTime(ms);
  };
  for (const [index, principal] of principals.entries()) {
    if (!principal || principal.kind === "session") throw new Error("This is no key.");
    cache.keep(hashSecret(secrets[index] ?? ""), principal);
  }
  expect(await Promise.all(secrets.map(isCached))).toEqual([true, true]);
  pass(31_000);
  expect(await Promise.all(secrets.map(isCached))).toEqual([false, true]);
  pass(protocol.deviceStreamMs - 31_000);
  expect(await Promise.all(secrets.map(isCached))).toEqual([false, true]);
  pass(120_000);
  expect(await Promise.all(secrets.map(isCached))).toEqual([false, false]);
});

const setRole = (userId: string, role: "admin" | "member") =>
  db.updateTable("memberships").set({ role }).where("user_id", "=", userId).execute();

it("is looked up where a guard refuses what is cached, and then the guard decides", async () => {
  const owner = await person();
  const cached = await cachedKey(await apiKey(owner));
  await setRole(owner.user.id, "member");
  const guarded = await cached.guarded((principal) => {
    if (principal.memberships.get(owner.organizationId) === "owner") throw new Error("This role was cached.");
    return principal;
  });
  expect(guarded).toMatchObject({
    kind: "api_key",
    memberships: new Map([[owner.organizationId, "member"]]),
  });
});

it("applies every guard to the principal that is looked up later", async () => {
  const owner = await person();
  const cached = await cachedKey(await apiKey(owner));
  const guarded = await cached.guarded((principal) => {
    requireMembership(principal, owner.organizationId, "owner");
    return principal;
  });
  if (guarded.kind !== "cached") throw new Error("It was looked up.");
  await setRole(owner.user.id, "admin");
  expect(await refusal(guarded.lookUp())).toMatchObject({ reason: "role_required" });
});

it("forgets a key that is no longer found", async () => {
  const key = await apiKey(await person());
  const cached = await cachedKey(key);
  await db.updateTable("api_keys").set({ revoked_at: new Date() }).where("id", "=", key.id).execute();
  expect(await refusal(cached.lookUp())).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await refusal(found(key.secret, requireUser))).toMatchObject({ code: "UNAUTHORIZED" });
});

it("caches neither sessions nor strings that are not credentials", async () => {
  const { user } = await person();
  const meta = { ip: null, userAgent: null };
  const secret = await db.transaction().execute((trx) => createSession(trx, user.id, meta));
  await resolvePrincipal(auth, secret);
  expect(await found(secret, requireUser)).toMatchObject({ result: { kind: "session" }, statements: 1 });
  for (const each of [createSecret("api_key").secret, "grk_", ""])
    expect(await refusal(found(each, requireUser))).toMatchObject({ code: "UNAUTHORIZED" });
});
