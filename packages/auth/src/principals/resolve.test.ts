import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createSecret, hashSecret } from "../secrets/secrets";
import { useTestAuth } from "../testing";
import { resolvePrincipal } from "./resolve";

const { auth, db, errors, person, apiKey, device, counted } = await useTestAuth();
const resolve = (secret: string) => counted(() => resolvePrincipal(auth, secret));

const disable = (userId: string) =>
  db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", userId).execute();
const leave = (userId: string) => db.deleteFrom("memberships").where("user_id", "=", userId).execute();

it("sends no statement for a string that is not a credential", async () => {
  for (const secret of ["", "grs_", "Bearer", `grk_${"a".repeat(44)}`, "x".repeat(100_000), "grs_\0"])
    expect(await resolve(secret)).toEqual({ result: null, statements: 0 });
});

it.each(["session", "api_key", "device"] as const)(
  "asks once about a %s that does not exist",
  async (kind) => {
    expect(await resolve(createSecret(kind).secret)).toEqual({ result: null, statements: 1 });
  },
);

it("sends one statement for a batch, and gives each caller its own principal", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => person()));
  const keys = await Promise.all(people.map((owner) => apiKey(owner)));
  const gone = createSecret("api_key");
  const secrets = [...keys, gone, ...keys].map(({ secret }) => secret);
  const { result, statements } = await counted(() =>
    Promise.all(secrets.map((secret) => resolvePrincipal(auth, secret))),
  );
  const ids = keys.map(({ id }) => id);
  expect(result.map((principal) => principal?.kind === "api_key" && principal.keyId)).toEqual([
    ...ids,
    false,
    ...ids,
  ]);
  expect(statements).toBe(1);
});

it("reads again each time", async () => {
  const key = await apiKey(await person());
  expect((await resolve(key.secret)).result).not.toBeNull();
  await db.updateTable("api_keys").set({ revoked_at: new Date() }).where("id", "=", key.id).execute();
  expect(await resolve(key.secret)).toEqual({ result: null, statements: 1 });
});

describe("an API key", () => {
  it("acts as its owner, in its one organization", async () => {
    const owner = await person();
    const elsewhere = await person();
    await db
      .insertInto("memberships")
      .values({ organization_id: elsewhere.organizationId, user_id: owner.user.id, role: "admin" })
      .execute();
    const key = await apiKey(owner);
    expect(await resolve(key.secret)).toEqual({
      statements: 1,
      result: {
        kind: "api_key",
        keyId: key.id,
        organizationId: owner.organizationId,
        scopes: ["read"],
        expiresAt: null,
        user: owner.user,
        memberships: new Map([[owner.organizationId, "owner"]]),
      },
    });
  });

  it("is valid until it expires, and not after that", async () => {
    const owner = await person();
    const expired = await apiKey(owner, new Date(Date.now() - 1_000));
    const valid = await apiKey(owner, new Date(Date.now() + 3_600_000));
    expect((await resolve(expired.secret)).result).toBeNull();
    expect((await resolve(valid.secret)).result).toMatchObject({ keyId: valid.id });
  });

  it("is not valid once it is revoked", async () => {
    const key = await apiKey(await person());
    await db.updateTable("api_keys").set({ revoked_at: new Date() }).where("id", "=", key.id).execute();
    expect((await resolve(key.secret)).result).toBeNull();
  });

  it.each([
    ["is disabled", disable],
    ["leaves", leave],
  ])("is not valid once its owner %s", async (_, end) => {
    const owner = await person();
    const key = await apiKey(owner);
    await end(owner.user.id);
    expect((await resolve(key.secret)).result).toBeNull();
  });

  const lastUsed = async (id: string) =>
    (await db.selectFrom("api_keys").select("last_used_at").where("id", "=", id).executeTakeFirstOrThrow())
      .last_used_at;
  const used = (id: string, last_used_at: Date | null) =>
    db.updateTable("api_keys").set({ last_used_at }).where("id", "=", id).execute();

  it.each([null, new Date("2026-01-01")])("records its use (before: %s)", async (before) => {
    const key = await apiKey(await person());
    await used(key.id, before);
    await resolve(key.secret);
    await expect.poll(() => lastUsed(key.id)).not.toEqual(before);
  });

  it("does not record it twice a minute", async () => {
    const key = await apiKey(await person());
    const before = await lastUsed(key.id);
    expect((await resolve(key.secret)).statements).toBe(1);
    expect(await lastUsed(key.id)).toEqual(before);
  });

  it("is valid even if its use cannot be recorded, which is logged", async () => {
    const key = await apiKey(await person());
    await used(key.id, null);
    await sql`alter table api_keys add constraint unused check (last_used_at is null) not valid`.execute(db);
    try {
      expect((await resolve(key.secret)).result).toMatchObject({ keyId: key.id });
      await expect.poll(() => errors).toEqual(["the use of a credential could not be recorded"]);
    } finally {
      await sql`alter table api_keys drop constraint unused`.execute(db);
    }
  });
});

describe("a device's key", () => {
  it("acts as that device", async () => {
    const owner = await person("Mary Somerville");
    const laptop = await device(owner);
    expect(await resolve(laptop.secret)).toEqual({
      statements: 1,
      result: {
        kind: "device",
        deviceId: laptop.id,
        keyHash: hashSecret(laptop.secret),
        organizationId: owner.organizationId,
        ownerId: owner.user.id,
        journalId: null,
        epoch: 0,
        organization: { id: owner.organizationId, name: "Mary Somerville", slug: "mary-somerville" },
      },
    });
  });

  it("is not valid once the device is revoked", async () => {
    const laptop = await device(await person());
    await db.updateTable("devices").set({ revoked_at: new Date() }).where("id", "=", laptop.id).execute();
    expect((await resolve(laptop.secret)).result).toBeNull();
  });

  it.each([
    ["is disabled", disable],
    ["leaves", leave],
  ])("is not valid once its owner %s", async (_, end) => {
    const owner = await person();
    const laptop = await device(owner);
    await end(owner.user.id);
    expect((await resolve(laptop.secret)).result).toBeNull();
  });
});
