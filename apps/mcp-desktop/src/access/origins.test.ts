import { expect, it } from "vitest";
import { checkOrigin, originOf } from "./origins";

it.each([
  ["https://Example.com/a?b", "https://example.com"],
  ["app://main/index.html", "app://main"],
  ["app://Main/", "app://main"],
  ["app://user:word@main:1/", "app://main:1"],
  ["data:text/html,x", undefined],
  ["no address", undefined],
])("%s has the origin %s", (url, origin) => {
  expect(originOf(url)).toBe(origin);
});

it("allows the origin of an app's own scheme, however its host is written", () => {
  expect(() => checkOrigin("app://Main/x", ["app://main"])).not.toThrow();
  expect(() => checkOrigin("app://other/x", ["app://main"])).toThrow(/"app:\/\/other" is not among/);
});
