import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "./passwords";

it("hashes with argon2id and OWASP's parameters, and a new salt each time", async () => {
  const first = await hashPassword("correct horse battery");
  const second = await hashPassword("correct horse battery");
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
});

it("accepts the password, and no other", async () => {
  const hash = await hashPassword("correct horse battery");
  expect(await verifyPassword(hash, "correct horse battery")).toBe(true);
  expect(await verifyPassword(hash, "correct horse batterz")).toBe(false);
  expect(await verifyPassword(hash, "")).toBe(false);
});

it("treats a password as the same however its characters are composed", async () => {
  const hash = await hashPassword("se\u0301same ouvre-toi");
  expect(await verifyPassword(hash, "s\u00e9same ouvre-toi")).toBe(true);
});

it("answers no without a hash", async () => {
  expect(await verifyPassword(null, "correct horse battery")).toBe(false);
  expect(await verifyPassword(null, "")).toBe(false);
});
