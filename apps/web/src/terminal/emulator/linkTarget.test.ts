import { expect, it } from "vitest";
import { linkTarget } from "./linkTarget";

const pressed = { ctrlKey: true, metaKey: false };

it("follows a link only with Ctrl or ⌘, and only to http and https", () => {
  expect(linkTarget(pressed, "https://example.com/a")).toBe("https://example.com/a");
  expect(linkTarget({ ctrlKey: false, metaKey: true }, "http://example.com/")).toBe("http://example.com/");
  expect(linkTarget({ ctrlKey: false, metaKey: false }, "https://example.com/a")).toBeUndefined();
  expect(linkTarget(pressed, "javascript:alert(1)")).toBeUndefined();
  expect(linkTarget(pressed, "file:///etc/passwd")).toBeUndefined();
});
