import { describe, expect, it } from "vitest";
import { languageNamed, languageOf } from "./languageOf";

it.each([
  ["src/a.ts", "typescript"],
  ["Dockerfile", "dockerfile"],
  ["fix.patch", "diff"],
  ["ts", "text"],
  ["a.constructor", "text"],
])("reads the language of %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});

describe("languageNamed", () => {
  it.each([
    ["ts", "typescript"],
    ["TypeScript", "typescript"],
    ["c++", "c"],
    ["shell", "bash"],
    ["make", "make"],
    ["cobol", undefined],
    ["constructor", undefined],
  ])("reads %s", (name, language) => {
    expect(languageNamed(name)).toBe(language);
  });
});
