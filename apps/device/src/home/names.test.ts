import { basename, join, relative } from "node:path";
import { slug as slugSchema } from "@grove/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { firstFree, generateName, slugify } from "./names";

it.each([
  ["Fix the login!", "fix-the-login"],
  ["Überprüfung", "uberprufung"],
  ["修复登录", "xiufudenglu"],
  ["Привет мир", "privet-mir"],
  ["../../etc/passwd", "etc-passwd"],
  ["CON", "con"],
  ["   ", "workspace"],
  ["🤷", "person-shrugging"],
  ["a".repeat(500), "a".repeat(60)],
])("%j becomes %j", async (text, slug) => {
  expect(await slugify(text, "workspace")).toBe(slug);
});

it("the slug of any name is one plain file name inside the directory", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
      const slug = await slugify(text, "workspace");
      expect(slugSchema.safeParse(slug).success).toBe(true);
      expect(basename(slug)).toBe(slug);
      expect(relative("/home/worktrees", join("/home/worktrees", slug))).toBe(slug);
    }),
    { numRuns: 200 },
  );
});

it("names are drawn until one is free, and numbered when none is", async () => {
  const taken = new Set<string>();
  for (let n = 0; n < 500; n++) {
    const name = await generateName((candidate) => taken.has(candidate));
    expect(taken.has(name)).toBe(false);
    expect(slugSchema.safeParse(name).success).toBe(true);
    taken.add(name);
  }
  expect(await generateName((candidate) => !/\d/.test(candidate))).toMatch(/^[a-z]+-[a-z]+-2$/);
});

it("the first free name is numbered from 2", async () => {
  const taken = ["a", "a-2"];
  expect(await firstFree("a", (candidate) => taken.includes(candidate))).toBe("a-3");
  expect(await firstFree("b", async () => false)).toBe("b");
});
