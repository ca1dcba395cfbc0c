import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { codexAnswer } from "../../hooks/codex";
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
    onTurnEnd: () => {},
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
  expect(newest()).toMatchObject({ state: "asks_permission", requests: [{ isAnswerable: false }] });
});
