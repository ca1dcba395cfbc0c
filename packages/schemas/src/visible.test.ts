import { expect, it } from "vitest";
import { branchName, name } from "./values";
import { countHidden, visibleName, visibleText, withoutHidden } from "./visible";

it.each([
  ["rtl\u202egpj.exe", "rtl⟨RLO⟩gpj.exe"],
  ["a\nb\tc\x1b[0m\x7f", "a␊b␉c␛[0m␡"],
  ["a\u200bb\u2066c\u2069\ufeff", "a⟨ZWSP⟩b⟨LRI⟩c⟨PDI⟩⟨ZWNBSP⟩"],
  ["a\u2028b\u{e0041}\u3164\u0085", "a⟨LS⟩b⟨U+E0041⟩⟨U+3164⟩⟨U+0085⟩"],
  ["pay\u200dpal\u200c \ufe0f", "pay⟨ZWJ⟩pal⟨ZWNJ⟩ ⟨U+FE0F⟩"],
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
  expect([visibleText(text), withoutHidden(text), countHidden(text)]).toEqual([
    "a\tb\r\nc⟨RLO⟩",
    "a\tb\r\nc",
    1,
  ]);
});
