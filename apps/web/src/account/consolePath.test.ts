import { expect, it } from "vitest";
import { consolePath } from "./consolePath";

it.each(["/", "/o/acme/devices", "/o/acme/tasks?status=done#top"])("keeps %s", (path) => {
  expect(consolePath(path)).toBe(path);
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
])("replaces %s by /", (path) => {
  expect(consolePath(path)).toBe("/");
});
