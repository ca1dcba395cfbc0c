import { expect, it } from "vitest";
import { nextPageCursor } from "./nextPageCursor";

it("asks for the page behind a full one, and for none behind a shorter one", () => {
  const page = [{ id: "b" }, { id: "a" }];
  expect([nextPageCursor(page, 2), nextPageCursor(page, 3), nextPageCursor([], 2)]).toEqual([
    "a",
    undefined,
    undefined,
  ]);
});
