import fc from "fast-check";
import { expect, it } from "vitest";
import { branchName, name } from "../values";
import {
  countHidden,
  findHidden,
  visibleLines,
  visibleName,
  visibleText,
  withoutHidden,
} from "./invisibleCharacters";

it.each([
  ["rtl\u202egpj.exe", "rtl⟨RLO⟩gpj.exe"],
  ["a\nb\tc\x1b[0m\x7f", "a␊b␉c␛[0m␡"],
  ["a\u200bb\u2066c\u2069\ufeff", "a⟨ZWSP⟩b⟨LRI⟩c⟨PDI⟩⟨ZWNBSP⟩"],
  ["a\u2028b\u{e0041}\u3164\u0085", "a⟨LS⟩b⟨U+E0041⟩⟨U+3164⟩⟨U+0085⟩"],
  ["pay\u200dpal\u200c \ufe0f", "pay⟨ZWJ⟩pal⟨ZWNJ⟩ ⟨U+FE0F⟩"],
  [" \ufe0f\u200d👩", " ⟨U+FE0F⟩⟨ZWJ⟩👩"],
  ["a\ufe0f\ufe0f", "a\ufe0f⟨U+FE0F⟩"],
])("marks hidden characters of %j", (hidden, shown) => {
  expect(visibleName(hidden)).toBe(shown);
  expect(name.safeParse(hidden.replaceAll(/\n|\t/g, " ").trim()).success).toBe(false);
  expect(branchName.safeParse(`b${hidden}b`).success).toBe(false);
});

it.each([
  "Zoë",
  "👩‍💻",
  "🏳️‍🌈",
  "❤️",
  "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  "می‌خواهم",
  "क्‍ष",
  "葛\u{e0100}",
  "1️⃣",
  "日本",
])("leaves %s as it is", (visible) => {
  expect(visibleName(visible)).toBe(visible);
  expect(name.parse(visible)).toBe(visible);
});

it("keeps the layout of a text of several lines", () => {
  const text = "a\tb\r\nc\u202e";
  expect([visibleText(text), visibleLines(text), withoutHidden(text), countHidden(text)]).toEqual([
    "a\tb\r\nc⟨RLO⟩",
    "a\tb␍\nc⟨RLO⟩",
    "a\tb\r\nc",
    1,
  ]);
});

it("finds hidden characters with their places", () => {
  expect(findHidden("a\t\u202eb\u{e0041}👩‍💻")).toEqual([
    { at: 2, length: 1, mark: "⟨RLO⟩" },
    { at: 4, length: 2, mark: "⟨U+E0041⟩" },
  ]);
});

it.each(["\u180b\u180b", "\u3164\ufe0f", "\u115f\ufe0f", "\u200d\u200d", "\ufe0f\ufe0f"])(
  "removes all of %j, since none of it is needed after another",
  (hidden) => expect(countHidden(withoutHidden(hidden))).toBe(0),
);

it("removes hidden characters so that none is left", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."a 👩\u200d\u200b\ufe0f\u17b4\u180bक\u202e🏴\u{e0067}\u{e007f}葛\u{e0100}"),
    maxLength: 12,
  });
  fc.assert(fc.property(text, (hidden) => countHidden(withoutHidden(hidden)) === 0));
});
