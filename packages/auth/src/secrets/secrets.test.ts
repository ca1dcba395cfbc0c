import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecret, hashSecret, kindOf } from "./secrets";

const kinds = ["session", "api_key", "device"] as const;

describe.each(kinds)("a secret for a %s", (kind) => {
  it("shows its kind by its prefix", () => {
    const { secret, prefix } = createSecret(kind);
    expect(kindOf(secret)).toBe(kind);
    expect(secret.startsWith({ session: "grs_", api_key: "grk_", device: "grd_" }[kind])).toBe(true);
    expect(prefix).toBe(secret.slice(0, 12));
  });

  it("carries 256 random bits", () => {
    const secrets = Array.from({ length: 100 }, () => createSecret(kind).secret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret.slice(4), "base64url")).toHaveLength(32);
  });

  it("is stored as a SHA-256 that does not contain it", () => {
    const { secret, hash } = createSecret(kind);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSecret(secret)).toBe(hash);
  });

  it("is no credential once a character is added or removed", () => {
    const { secret } = createSecret(kind);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(secret.length - 1), (more, at) => {
        expect(kindOf(secret + more)).toBeNull();
        expect(kindOf(more + secret)).toBeNull();
        expect(kindOf(secret.slice(0, at))).toBeNull();
      }),
    );
  });
});

it("recognizes nothing else as a credential, whatever its size", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ minLength: 1_000, maxLength: 20_000 }),
    fc
      .tuple(fc.constantFrom("grs_", "grk_", "grd_", "grx_", "GRS_"), fc.string({ maxLength: 42 }))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(anything, (secret) => {
      expect(kindOf(secret)).toBeNull();
    }),
  );
  const random = "a".repeat(43);
  for (const secret of [`grs_${random}\n`, `grx_${random}`, `GRS_${random}`, ` grs_${random}`])
    expect(kindOf(secret)).toBeNull();
});

it("recognizes every well-formed one by its prefix", () => {
  const secret = fc.record({
    kind: fc.constantFrom(...kinds),
    random: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  });
  fc.assert(
    fc.property(secret, ({ kind, random }) => {
      const prefix = { session: "grs_", api_key: "grk_", device: "grd_" }[kind];
      expect(kindOf(prefix + Buffer.from(random).toString("base64url"))).toBe(kind);
    }),
  );
});
