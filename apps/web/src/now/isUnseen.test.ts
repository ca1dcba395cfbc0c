import type { Activity, AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { isUnseen } from "./isUnseen";

const reported = (fields: Partial<Activity>): Activity => ({
  state: "working",
  since: "2026-01-01T00:00:00.000Z",
  source: "hook",
  detail: null,
  limitedUntil: null,
  ...fields,
});

it("is unseen after a turn that the agent itself reported, until the user has looked", () => {
  const since = reported({}).since;
  const unseen = (fields: Partial<AgentSession>, seen?: string) =>
    isUnseen({ activity: null, waitingForInput: false, ...fields }, seen);
  expect(unseen({ activity: reported({ state: "done" }) })).toBe(true);
  expect(unseen({ activity: reported({ state: "done" }) }, "2025-12-31T00:00:00.000Z")).toBe(true);
  expect(unseen({ activity: reported({ state: "done" }) }, since)).toBe(false);
  // Half an hour later.
  expect(unseen({ activity: reported({ state: "idle" }), waitingForInput: true })).toBe(true);
  expect(unseen({ activity: reported({ state: "idle" }) })).toBe(false);
  expect(unseen({ activity: reported({ state: "done", source: "screen" }) })).toBe(false);
  expect(unseen({})).toBe(false);
});
