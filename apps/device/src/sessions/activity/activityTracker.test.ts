import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HookInput, PermissionHookInput } from "../../hooks/event";
import { ActivityTracker } from "./activityTracker";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const bash: Pick<PermissionHookInput, "tool_name" | "tool_input"> = {
  tool_name: "Bash",
  tool_input: { command: "ls", timeout: 1 },
};
const prompt: HookInput = { hook_event_name: "UserPromptSubmit" };
const stop: HookInput = { hook_event_name: "Stop" };

function track(expectsHooks = true) {
  const states: string[] = [];
  const tracker = new ActivityTracker(() => states.push(tracker.current.state), expectsHooks);
  const request = (id: string, askedAt: number, asked: object = {}) =>
    tracker.onRequest({
      id,
      askedAt,
      held: undefined,
      asked: { hook_event_name: "PermissionRequest", ...bash, ...asked },
    });
  return { tracker, states, request };
}

describe("events in another order than they happened", () => {
  it("keeps the end of a turn that is reported before its tools", () => {
    const { tracker } = track();
    tracker.onHook(prompt, 10);
    tracker.onHook(stop, 30);
    tracker.onHook({ hook_event_name: "PostToolUse", ...bash }, 20);
    expect(tracker.current).toMatchObject({ state: "done", since: 30 });
  });

  it("keeps the next turn when the end of the previous one arrives late", () => {
    const { tracker } = track();
    tracker.onHook(prompt, 40);
    tracker.onHook(stop, 30);
    expect(tracker.current).toMatchObject({ state: "working", since: 40 });
  });

  it("keeps a request that is reported before the start of its tool", () => {
    const { tracker, request } = track();
    tracker.onHook(prompt, 10);
    request("a", 30);
    tracker.onHook({ hook_event_name: "PreToolUse", ...bash }, 20);
    expect(tracker.current).toMatchObject({ state: "needs_permission", since: 30, detail: "Bash: ls" });
  });
});

describe("a request that is reported before", () => {
  it("the beginning of its own turn stays open", () => {
    const { tracker, request } = track();
    tracker.onHook({ hook_event_name: "SessionStart" }, 5);
    request("a", 30);
    tracker.onHook(prompt, 10);
    expect(tracker.current).toMatchObject({ state: "needs_permission", since: 30 });
    expect(tracker.requests.all).toHaveLength(1);
  });

  it("the end of the turn before stays open", () => {
    const { tracker, request } = track();
    tracker.onHook(prompt, 10);
    request("a", 30);
    tracker.onHook(stop, 20);
    expect(tracker.current.state).toBe("needs_permission");
  });

  it("and one that is reported after the end of its turn, without a hook that waits, is not open", () => {
    const { tracker, request } = track();
    tracker.onHook(stop, 40);
    request("a", 30);
    expect(tracker.current.state).toBe("done");
  });

  it("the end of an earlier run of the same tool stays open", () => {
    const { tracker, request } = track();
    tracker.onHook(prompt, 10);
    request("a", 30);
    tracker.onHook({ hook_event_name: "PostToolUse", ...bash }, 20);
    expect(tracker.current.state).toBe("needs_permission");
  });
});

describe("open requests", () => {
  it("end with their own tool, with its fields in any order, and with no other", () => {
    const { tracker, request } = track();
    tracker.onHook(prompt, 10);
    request("a", 20);
    const other = { command: "ls -l", timeout: 1 };
    tracker.onHook({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: other }, 30);
    tracker.onHook({ hook_event_name: "PostToolUse", ...bash, agent_id: "sub" }, 40);
    expect(tracker.current.state).toBe("needs_permission");
    const same = { timeout: 1, command: "ls" };
    tracker.onHook({ hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: same }, 50);
    expect(tracker.current.state).toBe("working");
  });

  it("of two, the other stays when one ends", () => {
    const { tracker, request } = track();
    tracker.onHook(prompt, 10);
    request("a", 20);
    request("b", 30, { tool_name: "AskUserQuestion", tool_input: { questions: [] } });
    expect(tracker.current.state).toBe("needs_answer");
    tracker.onSettled("b");
    expect(tracker.current).toMatchObject({ state: "needs_permission", since: 20 });
  });

  it("end with the turn, and with a prompt that is typed instead", () => {
    for (const end of [stop, prompt]) {
      const { tracker, request } = track();
      tracker.onHook(prompt, 10);
      request("a", 20);
      tracker.onHook(end, 30);
      expect(tracker.requests.all).toEqual([]);
      expect(tracker.current.state).toBe(end === stop ? "done" : "working");
    }
  });
});

describe("guesses", () => {
  it("count for an agent without hooks", () => {
    const { tracker, states } = track(false);
    expect(tracker.current).toMatchObject({ state: "working", source: "screen" });
    tracker.onScreen(true);
    tracker.onScreen(false);
    expect(states).toEqual(["needs_answer", "working"]);
  });

  it("do not count for one with hooks until it was silent for 30 s", () => {
    const { tracker } = track();
    tracker.onHook(prompt, 10);
    tracker.onScreen(true);
    vi.advanceTimersByTime(29_000);
    expect(tracker.current).toMatchObject({ state: "working", source: "hook" });
    expect(tracker.mayWait).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(tracker.current).toMatchObject({ state: "needs_answer", source: "screen" });
    expect(tracker.mayWait).toBe(true);
    tracker.onScreen(false);
    expect(tracker.current).toMatchObject({ state: "working", source: "hook" });
  });

  it("show a dialog before the first hook, such as the question whether to trust a directory", () => {
    const { tracker } = track();
    expect(tracker.current.state).toBe("starting");
    tracker.onScreen(true);
    expect(tracker.current).toMatchObject({ state: "needs_answer", source: "screen" });
  });
});

it("a turn that ended half an hour ago is idle", () => {
  const { tracker } = track();
  tracker.onHook(stop, 10);
  vi.advanceTimersByTime(30 * 60_000);
  expect(tracker.current).toMatchObject({ state: "idle", source: "hook" });
});
