import { expect, it } from "vitest";
import { afterPage } from "./afterPage";

it("asks for the page behind a full one, and for none behind a shorter one", () => {
  const page = [{ id: "b" }, { id: "a" }];
  expect([afterPage(page, 2), afterPage(page, 3), afterPage([], 2)]).toEqual(["a", undefined, undefined]);
});
