import { expect, it } from "vitest";
import { isOlder } from "./versions";

it("compares the versions of an agent and a server by their numbers", () => {
  expect(isOlder("0.9.1", "0.10.0")).toBe(true);
  expect(isOlder("1.2.3", "1.2.3")).toBe(false);
  expect(isOlder("1.10.0", "1.9.9")).toBe(false);
  expect(isOlder(null, "1.0.0")).toBe(false);
  expect(isOlder("1.0.0", undefined)).toBe(false);
});
