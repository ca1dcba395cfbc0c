import { expect, it } from "vitest";
import { createSecret } from "../secrets/secrets";
import { useTestAuth } from "../testing";
import { cachedPrincipal } from "./cache";
import { resolvePrincipal } from "./resolve";
import { createSession } from "./sessions";

const { auth, db, person, apiKey, device, counted } = await useTestAuth();

it.each(["api_key", "device"] as const)(
  "caches a key (%s) that was looked up, and sends no statement",
  async (kind) => {
    const owner = await person();
    const { secret } = await (kind === "device" ? device(owner) : apiKey(owner));
    expect(cachedPrincipal(auth, secret)).toBeNull();
    const found = await resolvePrincipal(auth, secret);
    expect(await counted(async () => cachedPrincipal(auth, secret))).toEqual({
      result: { ...found, cached: true },
      statements: 0,
    });
    expect(found).not.toHaveProperty("cached");
  },
);

it("forgets a key that is no longer found", async () => {
  const { id, secret } = await apiKey(await person());
  await resolvePrincipal(auth, secret);
  await db.updateTable("api_keys").set({ revoked_at: new Date() }).where("id", "=", id).execute();
  expect(cachedPrincipal(auth, secret)).not.toBeNull();
  await resolvePrincipal(auth, secret);
  expect(cachedPrincipal(auth, secret)).toBeNull();
});

it("caches neither sessions nor strings that are no credential", async () => {
  const { user } = await person();
  const meta = { ip: null, userAgent: null };
  const secret = await db.transaction().execute((trx) => createSession(trx, user.id, meta));
  expect(await resolvePrincipal(auth, secret)).not.toBeNull();
  for (const each of [secret, createSecret("api_key").secret, "grk_", ""])
    expect(cachedPrincipal(auth, each)).toBeNull();
});
