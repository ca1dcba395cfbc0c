import { Bot } from "lucide-react";
import { expect, it } from "vitest";
import { found } from "./entries";

const entry = (title: string, hint?: string) => ({ id: title, title, hint, icon: Bot, run: () => undefined });

const groups = [
  { value: "Rooms", items: [entry("Workspaces"), entry("Devices")] },
  { value: "Agents", items: [entry("claude", "login-form"), entry("codex", "docs")] },
];

const titles = (text: string) =>
  found(groups, text).map(({ value, items }) => [value, ...items.map(({ title }) => title)]);

it("finds by letters and by hints, and drops groups without a match", () => {
  expect(titles("wsp")).toEqual([["Rooms", "Workspaces"]]);
  expect(titles("login")).toEqual([["Agents", "claude"]]);
  expect(titles("dev")).toEqual([["Rooms", "Devices"]]);
  expect(titles("zzz")).toEqual([]);
});

it("shows all without a text, at most eight of a group", () => {
  expect(titles(" ")).toEqual([
    ["Rooms", "Workspaces", "Devices"],
    ["Agents", "claude", "codex"],
  ]);
  const many = [{ value: "Many", items: Array.from({ length: 20 }, (_, n) => entry(`n${n}`)) }];
  expect(found(many, "n")[0]?.items).toHaveLength(8);
});
