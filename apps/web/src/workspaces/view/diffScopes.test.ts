import { expect, it } from "vitest";
import { isPoint, nextScope } from "./diffScopes";

it("goes through all choices in turn, and from a restore point to the first one", () => {
  const shown = ["base"];
  while (shown.length < 5) shown.push(nextScope(shown.at(-1) ?? ""));
  expect(shown).toEqual(["base", "seen", "turn", "head", "base"]);
  expect(isPoint("a".repeat(40))).toBe(true);
  expect(nextScope("a".repeat(40))).toBe("base");
});
