import { expect, it } from "vitest";
import { deliveryText, type Outcome, outcomeOfRefusal, outcomeText } from "./requestTexts";

const outcome = (fields: Partial<Outcome>): Outcome => ({
  status: "answered",
  decision: "allow",
  scope: "once",
  answeredAt: null,
  delivery: null,
  name: "Bob",
  ...fields,
});

it.each<[string, Partial<Outcome>]>([
  ["Answered by Bob: allowed", {}],
  ["Answered by Bob: allowed for this session", { scope: "session" }],
  ["Answered by Bob: denied", { decision: "deny" }],
  ["Answered by Bob", { decision: "answer" }],
  ["Answered by a former member: allowed", { name: undefined }],
  ["Answered in its terminal", { status: "answered_there" }],
  ["Expired. Answer in the agent's terminal.", { status: "expired" }],
  ["The agent withdrew this request: its session has ended.", { status: "withdrawn" }],
  ["", { status: "open" }],
])("shows how a request was settled: %s", (text, fields) => {
  expect(outcomeText(outcome(fields))).toBe(text);
});

it("shows when a request was answered", () => {
  const at = new Date();
  at.setHours(14, 3);
  expect(outcomeText(outcome({ answeredAt: at.toISOString() }))).toBe("Answered by Bob at 14:03: allowed");
});

it("shows whether the agent got the answer", () => {
  expect(deliveryText({ delivery: "gone" })).toMatch("no longer waited");
  expect(deliveryText({ delivery: null })).toBeUndefined();
});

it("reads who answered from a refusal", () => {
  const at = new Date().toISOString();
  expect(outcomeOfRefusal({ name: "Bob", at, decision: "deny", isInTerminal: false })).toEqual(
    outcome({ decision: "deny", scope: null, answeredAt: at }),
  );
  expect(outcomeText(outcomeOfRefusal({ isInTerminal: true }))).toBe("Answered in its terminal");
});
