import { expect, it } from "vitest";
import { linkOf } from "./links";

const pressed = { ctrlKey: true, metaKey: false };

it("a link is followed with Ctrl or ⌘ only, and only to the web", () => {
  expect(linkOf(pressed, "https://example.com/a")).toBe("https://example.com/a");
  expect(linkOf({ ctrlKey: false, metaKey: true }, "http://example.com/")).toBe("http://example.com/");
  expect(linkOf({ ctrlKey: false, metaKey: false }, "https://example.com/a")).toBeUndefined();
  expect(linkOf(pressed, "javascript:alert(1)")).toBeUndefined();
  expect(linkOf(pressed, "file:///etc/passwd")).toBeUndefined();
});
