import { expect, it } from "vitest";
import { choiceOn, choosesIn } from "./choice";

it.each([
  ["a menu with numbers", "Trust this folder?\n❯ 1. No, exit\n  2. Yes, trust", "menu"],
  [
    "a menu in a frame, with a hint",
    "│ Run it? │\n│ ❯ 1. Yes │\n│   2. No  │\n╰──╯\n Enter to confirm",
    "menu",
  ],
  ["a menu without numbers", "? Pick one\n❯ Yes\n  No", "menu"],
  ["a menu whose last line is chosen", "Pick one\n  Yes\n❯ No", "menu"],
  ["a yes or no", "Allow rm -rf build? [y/n] ", "yes_or_no"],
  ["a yes or no in words", "Proceed? (yes/no):", "yes_or_no"],
  ["a prompt of a shell", "1. one\n2. two\n$", undefined],
  ["an answered menu above a prompt", "❯ 1. No\n  2. Yes\n> ", undefined],
  ["a field for text", '────\n❯ Try "fix it"\n────\n  ? for shortcuts', undefined],
  ["a plan", "1. Read\n2. Write\nWhat next?", undefined],
])("recognizes %s", (_, screen, choice) => expect(choiceOn(screen.split("\n"))).toBe(choice));

it.each(["1", "2\r", "\r", "y", "\x1b", "\x1b[B", "\x1b[B\x1b[B\r", "12\r"])("%j is a key", (text) =>
  expect(choosesIn("menu", text)).toBe(true),
);
it.each(["Lorem", "L\no", "1\r1\r", "\r\r", "yes, do it\r"])("%j is text", (text) =>
  expect(choosesIn("menu", text)).toBe(false),
);
it("a yes-or-no question accepts a typed word, a menu does not", () => {
  expect([choosesIn("yes_or_no", "yes\r"), choosesIn("menu", "yes\r")]).toEqual([true, false]);
});
