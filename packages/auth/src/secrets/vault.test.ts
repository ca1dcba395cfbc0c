import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateVaultKey, parseVaultKeys, Vault } from "./vault";

const old = generateVaultKey("2025");
const vault = new Vault(parseVaultKeys(old));

describe("the vault", () => {
  it("opens what it sealed, for that identity and no other", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (value, identity, other) => {
        const sealed = vault.seal(value, identity);
        expect(vault.open(sealed, identity)).toBe(value);
        if (other !== identity) expect(() => vault.open(sealed, other)).toThrow();
      }),
    );
  });

  it("never seals the same twice alike, and shows nothing of it", () => {
    const [first, second] = [vault.seal("hunter2hunter2", "a"), vault.seal("hunter2hunter2", "a")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.split(".")[1] ?? "", "base64url").toString()).not.toContain("hunter2");
  });

  it("refuses a changed or shortened value", () => {
    const sealed = vault.seal("value", "row");
    const bytes = Buffer.from(sealed.slice("2025.".length), "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      for (const bad of [changed, bytes.subarray(0, at)])
        expect(() => vault.open(`2025.${bad.toString("base64url")}`, "row")).toThrow(
          expect.objectContaining({ code: "PRECONDITION_FAILED", reason: "secret_unreadable" }),
        );
    }
  });

  it("encrypts with the first key and decrypts with all", () => {
    const rotated = new Vault(parseVaultKeys(`${generateVaultKey("2026")}, ${old}`));
    const before = vault.seal("value", "row");
    expect(rotated.open(before, "row")).toBe("value");
    const after = rotated.seal("value", "row");
    expect([before, after].map((sealed) => sealed.startsWith(rotated.sealedPrefix))).toEqual([false, true]);
    expect(() => vault.open(after, "row")).toThrow('no key "2026"');
  });
});

describe("CREDENTIALS_KEY", () => {
  it.each([
    ["", "must be id:base64"],
    ["abc", "must be id:base64"],
    ["a:c2hvcnQ=", "must be 32 bytes"],
    [`${old},${old}`, "two keys have the same id"],
    [`${old},`, "key 2"],
  ])("%j is refused without repeating it", (text, why) => {
    expect(() => parseVaultKeys(text)).toThrow(why);
    expect(() => parseVaultKeys(text)).not.toThrow(old.split(":")[1]);
  });
});
