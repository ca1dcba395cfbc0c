import { expect, it } from "vitest";
import { pathInside } from "./pathInside";

it.each(["/", "/o/acme/devices", "/o/acme/tasks?status=done#top"])("keeps %s", (path) => {
  expect(pathInside(path)).toBe(path);
});

it.each([
  "https://evil.example/",
  "//evil.example/o",
  "/\\evil.example",
  "/./\\/evil.example",
  "/.//evil.example",
  "javascript:alert(1)",
  "data:text/html,hello",
  "http://[",
])("leads from %s to the beginning", (path) => {
  expect(pathInside(path)).toBe("/");
});
