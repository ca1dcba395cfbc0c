import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { codexAnswer } from "../../hooks/codex";
import type { HookInput } from "../../hooks/event";
import type { HeldHook } from "../../hooks/heldHook";
import type { StateReport } from "../reporting/outputReporter";
import { AgentActivity } from "./agentActivity";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request of an agent that shows no prompt of its own while its hook runs. */
async function ask(holdMs: number) {
  const reports: StateReport[] = [];
  const activity = new AgentActivity({
    report: (state) => reports.push(state),
    onChange: () => {},
    redact: (text) => text,
    onTurn: () => {},
    takesAnswers: async () => true,
    hooks: { answerFormat: codexAnswer, holdMs },
  });
  await vi.advanceTimersByTimeAsync(0);
  const release = vi.fn();
  const held = { release, ended: new Promise(() => {}) } as unknown as HeldHook;
  const input = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} } as const;
  activity.onHook({ at: Date.now(), input, held });
  return { release, newest: () => reports.at(-1) };
}

it("releases a request that hides the agent's own prompt after its limit", async () => {
  const { release, newest } = await ask(600_000);
  await vi.advanceTimersByTimeAsync(599_999);
  expect(release).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(release).toHaveBeenCalledOnce();
  expect(newest()).toMatchObject({ state: "needs_permission", requests: [{ isAnswerable: false }] });
});

it("reports when a turn begins and ends, and that requests and usage limits only interrupt one", async () => {
  const moments: string[] = [];
  const activity = new AgentActivity({
    report: () => {},
    onChange: () => {},
    redact: (text) => text,
    onTurn: (moment) => moments.push(moment),
    takesAnswers: async () => true,
    hooks: { answerFormat: codexAnswer, holdMs: 600_000 },
  });
  const hook = async (input: HookInput) => {
    await vi.advanceTimersByTimeAsync(1_000);
    activity.onHook({ at: Date.now(), input, held: undefined });
  };
  await hook({ hook_event_name: "SessionStart" });
  expect(moments).toEqual([]);
  await hook({ hook_event_name: "UserPromptSubmit" });
  expect(moments).toEqual(["start"]);
  await hook({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} });
  await hook({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {} });
  // After a silence, the screen is only a guess.
  activity.onScreen(true);
  await vi.advanceTimersByTimeAsync(60_000);
  activity.onScreen(false);
  await hook({ hook_event_name: "StopFailure", error: "rate_limit" });
  await hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} });
  expect(moments).toEqual(["start"]);
  await hook({ hook_event_name: "Stop" });
  expect(moments).toEqual(["start", "end"]);
  await hook({ hook_event_name: "UserPromptSubmit" });
  expect(moments).toEqual(["start", "end", "start"]);
});
