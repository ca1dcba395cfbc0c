import { Bot } from "lucide-react";
import { expect, it } from "vitest";
import { exactFirst, filterEntries } from "./filterEntries";

const entry = (title: string, hint?: string) => ({ id: title, title, hint, icon: Bot, run: () => undefined });

const groups = [
  { value: "Pages", items: [entry("Workspaces"), entry("Devices")] },
  { value: "Agents", items: [entry("claude", "login-form"), entry("codex", "docs")] },
];

const titles = (text: string) =>
  filterEntries(groups, text).map(({ value, items }) => [value, ...items.map(({ title }) => title)]);

it("matches titles and hints fuzzily, and drops groups without a match", () => {
  expect(titles("wsp")).toEqual([["Pages", "Workspaces"]]);
  expect(titles("login")).toEqual([["Agents", "claude"]]);
  expect(titles("dev")).toEqual([["Pages", "Devices"]]);
  expect(titles("zzz")).toEqual([]);
});

it("returns all without a text, at most eight per group", () => {
  expect(titles(" ")).toEqual([
    ["Pages", "Workspaces", "Devices"],
    ["Agents", "claude", "codex"],
  ]);
  const many = [{ value: "Many", items: Array.from({ length: 20 }, (_, n) => entry(`n${n}`)) }];
  expect(filterEntries(many, "n")[0]?.items).toHaveLength(8);
});

it("puts exact titles of any group first", () => {
  const shown = (text: string) =>
    exactFirst(groups, text).map(({ value, items }) => [value, ...items.map(({ title }) => title)]);
  expect(shown(" CODEX ")).toEqual([
    ["Best match", "codex"],
    ["Pages", "Workspaces", "Devices"],
    ["Agents", "claude"],
  ]);
  expect(shown("cod")).toEqual([
    ["Pages", "Workspaces", "Devices"],
    ["Agents", "claude", "codex"],
  ]);
  expect(exactFirst([{ value: "One", items: [entry("codex")] }], "codex").map(({ value }) => value)).toEqual([
    "Best match",
  ]);
});
