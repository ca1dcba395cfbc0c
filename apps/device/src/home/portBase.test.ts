import { expect, it } from "vitest";
import { choosePortBase } from "./portBase";

it("is the lowest that is free, and shared only once 1 000 workspaces have all of them", () => {
  expect(choosePortBase([])).toBe(20_000);
  expect(choosePortBase([20_010, 20_000, 20_030])).toBe(20_020);
  const all = Array.from({ length: 1_000 }, (_, n) => 20_000 + 10 * n);
  expect(choosePortBase(all.slice(0, -1))).toBe(29_990);
  expect(choosePortBase(all)).toBe(20_000);
});
