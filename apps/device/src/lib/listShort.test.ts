import { expect, it } from "vitest";
import { listShort } from "./listShort";

it("lists up to five items", () => {
  expect(listShort([])).toBe("");
  expect(listShort(["a"])).toBe("a");
  expect(listShort(["a", "b", "c", "d", "e"])).toBe("a, b, c, d, e");
});

it("counts the items that it does not list", () => {
  expect(listShort(["a", "b", "c", "d", "e", "f"])).toBe("a, b, c, d, e and 1 more");
  expect(listShort(["a", "b", "c", "d", "e", "f", "g"], "; ")).toBe("a; b; c; d; e and 2 more");
});
