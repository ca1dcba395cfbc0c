import type { NotificationRule } from "@grove/schemas";
import { expect, it } from "vitest";
import { keptRule, ruleOfForm } from "./ruleInput";

const rule: NotificationRule = {
  id: "01a216ca-d3de-7036-9553-11beacee1537",
  channel: "webhook",
  target: "hooks.example.com",
  kinds: ["needs_input"],
  scope: "mine",
  projectIds: [],
  quietFrom: null,
  quietTo: null,
  timeZone: "UTC",
  afterSeconds: 0,
  showText: false,
};
const form = (fields: Record<string, string>) => (name: string) => fields[name] ?? "";
const filled = {
  needs_input: "on",
  done: "on",
  scope: "all",
  afterSeconds: "60",
  quietFrom: "22:00",
  quietTo: "07:00",
};

it("a new rule has the checked kinds, and its target", () => {
  const given = form({ ...filled, url: "https://hooks.example.com/1", secret: "0123456789abcdef" });
  expect(ruleOfForm(given, "webhook", undefined)).toMatchObject({
    channel: "webhook",
    kinds: ["needs_input", "done"],
    scope: "all",
    afterSeconds: 60,
    showText: false,
    quietFrom: "22:00",
    quietTo: "07:00",
    target: { url: "https://hooks.example.com/1", secret: "0123456789abcdef" },
  });
});

it("a changed rule keeps its secret target unless another is given", () => {
  expect(ruleOfForm(form(filled), "webhook", rule)).toMatchObject({ id: rule.id });
  expect(ruleOfForm(form(filled), "webhook", rule)).not.toHaveProperty("target");
  expect(keptRule(rule)).not.toHaveProperty("target");
});

it("a rule for a messenger has its connection and channel, and keeps them if none is chosen", () => {
  const given = form({ ...filled, connectionId: "c", messengerChannel: "#builds" });
  expect(ruleOfForm(given, "messenger", undefined)).toMatchObject({
    channel: "messenger",
    target: { connectionId: "c", channel: "#builds" },
  });
  expect(ruleOfForm(form(filled), "messenger", rule)).not.toHaveProperty("target");
});
