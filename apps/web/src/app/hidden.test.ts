import { expect, it } from "vitest";
import { hiddenIn, marked } from "./hidden";

it("shows characters that nobody sees", () => {
  expect(marked("safe\u202etxt.exe\u200b \u{e0041}")).toBe("safe⟨U+202E⟩txt.exe⟨U+200B⟩ ⟨U+E0041⟩");
  expect(hiddenIn("a\u202eb\u0007")).toBe(2);
});

it("leaves text in any script as it is", () => {
  const text = "Füge ein Feld hinzu.\n\tשלום 日本語 👍🏽";
  expect([marked(text), hiddenIn(text)]).toEqual([text, 0]);
});
