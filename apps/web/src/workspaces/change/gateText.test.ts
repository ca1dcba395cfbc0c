import { expect, it } from "vitest";
import { gateText } from "./gateText";

const finishedAt = "2026-11-27T12:00:00.000Z";
const head = "a".repeat(40);
const gate = {
  commandId: "01a1fe47-026e-7602-a1f0-88172a9324db",
  state: "failed" as const,
  head,
  at: "2026-11-27T12:01:00.000Z",
  heldReason: null,
};
type Given = Pick<Parameters<typeof gateText>[0], "gate" | "gateSkipped">;

it.each<[Given, string | undefined]>([
  [{ gate, gateSkipped: null }, "The check script failed for commit aaaaaaaa."],
  [
    { gate: { ...gate, state: "passed", head: null }, gateSkipped: null },
    "The check script passed for the uncommitted work.",
  ],
  [{ gate: { ...gate, state: "running", head: null }, gateSkipped: null }, "The check script is running."],
  [{ gate: { ...gate, at: "2026-11-27T11:59:00.000Z" }, gateSkipped: null }, undefined],
  [{ gate: null, gateSkipped: null }, undefined],
  [{ gate: null, gateSkipped: "no_gate" }, "Not checked: the base has no .grove/check."],
])("describes %j", (given, text) => {
  expect(gateText({ ...given, finishedAt })).toBe(text);
});
