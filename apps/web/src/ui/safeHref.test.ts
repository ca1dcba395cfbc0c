import { expect, it } from "vitest";
import { safeHref } from "./safeHref";

it("keeps http and https URLs", () => {
  expect(safeHref("https://example.com/pull/1?a=b#c")).toBe("https://example.com/pull/1?a=b#c");
  expect(safeHref("HTTP://example.com")).toBe("http://example.com/");
});

it.each([
  "javascript:alert(1)",
  " java\nscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "/pull/1",
  "pull",
  "",
])("rejects %j", (url) => expect(safeHref(url)).toBeUndefined());
