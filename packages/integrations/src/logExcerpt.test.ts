import { expect, it } from "vitest";
import { excerptOfLog, MAX_EXCERPT_BYTES } from "./logExcerpt";

const excerpt = (text: string, secrets: string[] = []) => excerptOfLog({ text, linesBefore: 0 }, secrets);

const failed = [
  "##[group]Run npm ci",
  "##[endgroup]",
  "added 3 packages",
  "##[group]Run npm test",
  "env: CI",
  "##[endgroup]",
  "##[group]src/a.test.ts",
  "expected 1 to be 2",
  "##[error]Process completed with exit code 1.",
  "Post job cleanup.",
];

it("shows the last failed step, and counts the other lines", () => {
  expect(excerpt(failed.join("\n"))).toBe(
    ["… 3 lines omitted", ...failed.slice(3, 9), "… 1 line omitted"].join("\n"),
  );
});

it("removes times, colours and overwritten text, also of GitLab", () => {
  const text = [
    "\ufeff2026-11-27T01:58:03.1234567Z \u001b[31mred\u001b[0m\r",
    "2026-11-27T01:58:03.123456Z 00O out",
    "section_start:1:step\r\u001b[0K$ npm test",
    "\u001b]0;title\u00070%\r100%",
  ].join("\n");
  expect(excerpt(`${text}\n\n`)).toBe("red\nout\n$ npm test\n100%");
});

it("marks hidden characters", () => {
  expect(excerpt("a\u202eb\u0007")).toBe("a⟨RLO⟩b␇");
});

it("keeps a long step's first line and its end, within the limit", () => {
  const output = Array.from({ length: 5_000 }, (_, n) => `line ${n} ö`);
  const text = ["before", "##[group]Run npm test", ...output, "##[error]Failed"].join("\n");
  const lines = excerpt(text).split("\n");
  expect(lines.slice(0, 2)).toEqual(["… 1 line omitted", "##[group]Run npm test"]);
  expect(lines[2]).toBe(`… ${5_000 - (lines.length - 4)} lines omitted`);
  expect(lines.slice(-2)).toEqual(["line 4999 ö", "##[error]Failed"]);
  expect(Buffer.byteLength(lines.join("\n"))).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
});

it.each(["x", "ö", "\u{e0041}", "\u202e", "😀"])(
  "keeps within the limit with long lines of %j",
  (character) => {
    const line = character.repeat(20_000);
    const text = ["##[group]Run a", line, line, `##[error]${line}`].join("\n");
    const found = excerpt(text);
    expect(Buffer.byteLength(found)).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
    expect(found).toContain("##[error]");
    expect(found.isWellFormed()).toBe(true);
  },
);

it("redacts the given secrets and credentials of known forms, also in colour", () => {
  const text = "key=hunter2hunter2-more\na \u001b[1mghp_01234567890\u001b[0m12345678901 b";
  expect(excerpt(text, ["hunter2hunter2", "hunter2hunter2-more"])).toBe("key=[redacted]\na [redacted] b");
});

it.each(["-eyJ", "eyJaaaaaaaaaa.", "\u001b]", "\u001b[0", "sk-", "\r", "a\r"])(
  "takes linear time for a log of %j",
  (part) => {
    const text = part.repeat(1024 * 256);
    expect(excerpt(text).length).toBeLessThan(MAX_EXCERPT_BYTES);
  },
);
