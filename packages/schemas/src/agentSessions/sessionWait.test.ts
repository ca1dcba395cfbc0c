import { expect, it } from "vitest";
import { type ActivitySource, type ActivityState, activityState, meetsWait, sessionWait } from "../index";

const waits = sessionWait.options;
/** The conditions that a running session meets. */
const fulfilled = (
  state: ActivityState | null,
  waitingForInput: boolean,
  source: ActivitySource = "hook",
) => {
  const activity = state && { state, source };
  return waits.filter((until) => meetsWait({ status: "running", waitingForInput, activity }, until));
};

it("a session that has ended meets every condition", () => {
  for (const status of ["exited", "failed", "stopped"] as const)
    expect(
      waits.filter((until) => meetsWait({ status, waitingForInput: false, activity: null }, until)),
    ).toEqual(waits);
});

it("an agent that reports by hooks decides by its state, not by the silence of its terminal", () => {
  const byState = Object.fromEntries(activityState.options.map((state) => [state, fulfilled(state, false)]));
  expect(byState).toEqual({
    starting: [],
    working: [],
    needs_permission: ["attention", "turn"],
    needs_answer: ["attention", "turn"],
    done: ["turn"],
    limited: ["attention", "turn"],
    failed: ["attention", "turn"],
    idle: [],
  });
  expect(fulfilled("working", true)).toEqual([]);
  expect(fulfilled("done", true, "record")).toEqual(["turn"]);
  // The agent's turn ended long ago: no event ends a wait that begins now.
  expect(fulfilled("idle", true)).toEqual(["turn"]);
});

it("without hooks, a terminal that waits for input decides", () => {
  expect(fulfilled(null, false)).toEqual([]);
  expect(fulfilled(null, true)).toEqual(["attention", "turn"]);
  expect(fulfilled("working", false, "screen")).toEqual([]);
  expect(fulfilled("starting", true, "screen")).toEqual(["attention", "turn"]);
  expect(fulfilled("needs_answer", false, "screen")).toEqual(["attention", "turn"]);
});
