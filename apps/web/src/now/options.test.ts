import { expect, it } from "vitest";
import { optionsOf } from "./options";

it("finds the menu of an agent, the last one on its screen", () => {
  const asks = [
    "1. Read it",
    "2. Change it",
    "Proceed?",
    "❯ 1. Yes",
    "2. Yes, and do not ask again",
    "3. No (esc)",
  ];
  expect(optionsOf(asks.join("\n"))).toEqual([
    { key: "1", words: "Yes" },
    { key: "2", words: "Yes, and do not ask again" },
    { key: "3", words: "No (esc)" },
  ]);
});

it("takes no plan, no single line and no prose for a menu", () => {
  for (const asks of ["1. Read it\n2. Change it", "> 1. Only this", "Sure? [y/n]", "> 2. Two\n3. Three", ""])
    expect(optionsOf(asks)).toEqual([]);
});
