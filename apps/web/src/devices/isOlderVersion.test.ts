import { expect, it } from "vitest";
import { isOlderVersion } from "./isOlderVersion";

it("compares the versions of an agent and a server by their numbers", () => {
  expect(isOlderVersion("0.9.1", "0.10.0")).toBe(true);
  expect(isOlderVersion("1.2.3", "1.2.3")).toBe(false);
  expect(isOlderVersion("1.10.0", "1.9.9")).toBe(false);
  expect(isOlderVersion(null, "1.0.0")).toBe(false);
  expect(isOlderVersion("1.0.0", undefined)).toBe(false);
});
