import type { Activity, AgentSession, Device } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { formatClock, stateLabel, waitsForInput } from "./sessionActivity";

const reported = (fields: Partial<Activity>): Activity => ({
  state: "working",
  since: "2026-01-01T00:00:00.000Z",
  source: "hook",
  detail: null,
  limitedUntil: null,
  ...fields,
});
const sessionOf = (fields: Partial<AgentSession>) =>
  ({
    agent: "claude",
    status: "running",
    waitingForInput: false,
    exitCode: null,
    activity: null,
    ...fields,
  }) as AgentSession;
const offline = { status: "offline" } as Device;

describe("waitsForInput", () => {
  it("trusts the agent's own report over the terminal", () => {
    const waits = (state: Activity["state"]) =>
      waitsForInput(sessionOf({ waitingForInput: true, activity: reported({ state }) }));
    expect((["needs_permission", "needs_answer", "limited", "failed"] as const).map(waits)).not.toContain(
      false,
    );
    expect((["starting", "working", "done", "idle"] as const).map(waits)).not.toContain(true);
  });

  it("otherwise takes the guess", () => {
    const activity = reported({ state: "needs_answer", source: "screen" });
    expect(waitsForInput(sessionOf({ waitingForInput: true, activity }))).toBe(true);
    expect(waitsForInput(sessionOf({ waitingForInput: true }))).toBe(true);
    expect(waitsForInput(sessionOf({}))).toBe(false);
  });
});

it.each<[string, Partial<AgentSession>, Device?]>([
  ["Needs permission", { activity: reported({ state: "needs_permission" }) }],
  ["Asks a question", { activity: reported({ state: "needs_answer" }) }],
  ["Usage limit", { activity: reported({ state: "limited" }) }],
  ["Failed", { activity: reported({ state: "failed" }) }],
  ["Done", { activity: reported({ state: "done" }) }],
  ["Done", { activity: reported({ state: "done", source: "record" }) }],
  [
    "Seems to wait",
    { waitingForInput: true, activity: reported({ state: "needs_answer", source: "screen" }) },
  ],
  ["Seems to work", { activity: reported({ source: "screen" }) }],
  ["Starting", { activity: reported({ state: "starting", source: "screen" }) }],
  ["Needs input", { waitingForInput: true }],
  ["Working", {}],
  ["Open", { agent: "shell" }],
  ["Open", { agent: "shell", activity: reported({ source: "screen" }) }],
  ["Offline", {}, offline],
  ["Needs permission", { activity: reported({ state: "needs_permission" }) }, offline],
  ["Ended", { status: "exited", exitCode: 0 }],
  ["Exited with code 1", { status: "exited", exitCode: 1 }],
  ["Failed", { status: "failed" }],
])("labels a state: %s", (label, fields, device) => {
  expect(stateLabel(sessionOf(fields), device)).toBe(label);
});

it("shows when a usage limit ends", () => {
  const limitedUntil = new Date(2026, 0, 1, 14, 3).toISOString();
  const session = sessionOf({ activity: reported({ state: "limited", limitedUntil }) });
  expect(stateLabel(session)).toMatch(/^Usage limit until .*14:03$/);
});

it("formats a time with its day only if that is another one", () => {
  const at = new Date(2026, 0, 2, 4, 3).toISOString();
  expect(formatClock(at, new Date(2026, 0, 2, 23))).toBe("04:03");
  expect(formatClock(at, new Date(2026, 0, 3))).toBe("Jan 2, 04:03");
});
