import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { agentStatesOf } from "./agentStates";

it("shows the most urgent state of a task's agents", () => {
  const session = (taskId: string | null, fields: Partial<AgentSession> = {}) =>
    ({
      taskId,
      agent: "claude",
      status: "running",
      activity: null,
      waitingForInput: false,
      ...fields,
    }) as AgentSession;
  const done = { activity: { state: "done", source: "hook" } as AgentSession["activity"] };
  const states = agentStatesOf([
    session("a", done),
    session("a"),
    session("b"),
    session("b", { waitingForInput: true }),
    session("b", done),
    session(null, { waitingForInput: true }),
  ]);
  expect([...states]).toEqual([
    ["a", "working"],
    ["b", "waits"],
  ]);
});
