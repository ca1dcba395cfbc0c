import fc from "fast-check";
import { expect, it } from "vitest";
import { questionTextOf } from "./questionText";

it("takes the text out of the frames that agents draw", () => {
  const screen = [
    "╭──────────────────────────────────────────╮",
    "│ Edit file                                │",
    "│ Do you want to make this edit to auth.ts?      (12 lines) │",
    "│ ❯ 1. Yes                                 │",
    "│   2. No                                  │",
    "╰──────────────────────────────────────────╯",
  ].join("\n");
  expect(questionTextOf(screen)).toBe(
    "Edit file\nDo you want to make this edit to auth.ts?  (12 lines)\n❯ 1. Yes\n  2. No",
  );
});

it("keeps the last whole lines, and of a single long line its end", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(2, "0").repeat(30));
  expect(questionTextOf(lines.join("\n"))).toBe(lines.slice(-8).join("\n"));
  expect(questionTextOf(`before\n${"x".repeat(600)}?`)).toBe(`${"x".repeat(499)}?`);
  expect(questionTextOf("")).toBe("");
});

it("is never longer than the cloud takes, and well-formed", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 30 }), (lines) => {
      const questionText = questionTextOf(lines.join("\n"));
      expect(questionText.length).toBeLessThanOrEqual(500);
      expect(questionText.isWellFormed()).toBe(true);
    }),
  );
});
