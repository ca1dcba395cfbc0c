import { expect, it } from "vitest";
import { parseMenu } from "./menuOptions";

it("parses the last menu on an agent's screen", () => {
  const questionText = [
    "1. Read it",
    "2. Change it",
    "Proceed?",
    "❯ 1. Yes",
    "2. Yes, and do not ask again",
    "3. No (esc)",
  ];
  expect(parseMenu(questionText.join("\n"))).toEqual([
    { key: "1", label: "Yes" },
    { key: "2", label: "Yes, and do not ask again" },
    { key: "3", label: "No (esc)" },
  ]);
});

it("does not mistake a plan, a single line or prose for a menu", () => {
  for (const questionText of [
    "1. Read it\n2. Change it",
    "> 1. Only this",
    "Sure? [y/n]",
    "> 2. Two\n3. Three",
    "",
  ])
    expect(parseMenu(questionText)).toEqual([]);
});
