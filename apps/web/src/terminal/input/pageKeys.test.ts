import { expect, it } from "vitest";
import { isCopyKey, isFindKey } from "./pageKeys";

const key = (code: string, ...modifiers: ("ctrlKey" | "shiftKey" | "altKey" | "metaKey")[]) => ({
  code,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...Object.fromEntries(modifiers.map((modifier) => [modifier, true])),
});

it("copies with Ctrl+Shift+C, and with Ctrl+C if text is selected", () => {
  expect(isCopyKey(key("KeyC", "ctrlKey", "shiftKey"), false)).toBe(true);
  expect(isCopyKey(key("KeyC", "ctrlKey"), true)).toBe(true);
  expect(isCopyKey(key("KeyC", "ctrlKey"), false)).toBe(false);
});

it("finds with Ctrl+Shift+F and ⌘F, and leaves Ctrl+F to the program", () => {
  expect(isFindKey(key("KeyF", "ctrlKey", "shiftKey"))).toBe(true);
  expect(isFindKey(key("KeyF", "metaKey"))).toBe(true);
  expect(isFindKey(key("KeyF", "ctrlKey"))).toBe(false);
  expect(isFindKey(key("KeyF", "altKey", "ctrlKey", "shiftKey"))).toBe(false);
  expect(isFindKey(key("KeyG", "ctrlKey", "shiftKey"))).toBe(false);
});
