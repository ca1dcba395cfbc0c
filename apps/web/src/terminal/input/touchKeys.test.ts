import { expect, it } from "vitest";
import { NO_MODIFIERS, textOfKey, withModifiers } from "./touchKeys";

const ctrl = { ctrl: true, alt: false };
const alt = { ctrl: false, alt: true };

it("sends keys as a keyboard does", () => {
  expect(textOfKey("Esc", false)).toBe("\x1b");
  expect(textOfKey("Tab", false)).toBe("\t");
  expect(textOfKey("Up", false)).toBe("\x1b[A");
  expect(textOfKey("Up", true)).toBe("\x1bOA");
});

it.each([
  ["c", ctrl, "\x03"],
  ["C", ctrl, "\x03"],
  ["[", ctrl, "\x1b"],
  ["?", ctrl, "\x7f"],
  ["1", ctrl, "1"],
  ["b", alt, "\x1bb"],
  ["ü", alt, "\x1bü"],
  ["c", { ctrl: true, alt: true }, "\x1b\x03"],
  ["\x1b[A", ctrl, "\x1b[1;5A"],
  ["\x1bOD", alt, "\x1b[1;3D"],
  ["\x1b[A", { ctrl: true, alt: true }, "\x1b[1;7A"],
  ["\x1b[A", NO_MODIFIERS, "\x1b[A"],
  ["word", ctrl, "word"],
  ["c", NO_MODIFIERS, "c"],
])("%j with %j is %j", (text, modifiers, sent) => {
  expect(withModifiers(text, modifiers)).toBe(sent);
});
