import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { sessionTabs } from "./sessionTabs";

const NOW = Date.parse("2026-01-02T12:00:00Z");

function session(id: string, startedAt: string, endedAt: string | null = null): AgentSession {
  return {
    ...({ agent: "shell", status: endedAt === null ? "running" : "exited" } as AgentSession),
    id,
    startedAt: `2026-01-02T${startedAt}:00Z`,
    endedAt: endedAt && `2026-01-02T${endedAt}:00Z`,
  };
}

const labelsOf = (sessions: AgentSession[], selected?: AgentSession) =>
  sessionTabs(sessions, selected, NOW).map(({ session: { id }, label }) => `${id}: ${label}`);

it("lists running and recently ended sessions, the oldest first, and numbers those with the same name", () => {
  const claude = { ...session("c", "11:50"), agent: "claude" };
  expect(labelsOf([claude, session("b", "11:00", "11:30"), session("a", "08:00")])).toEqual([
    "a: Terminal",
    "b: Terminal 2",
    "c: claude",
  ]);
});

it("hides sessions that ended more than an hour ago, except the selected one", () => {
  const old = session("old", "08:00", "09:00");
  expect(labelsOf([session("a", "10:00"), old])).toEqual(["a: Terminal"]);
  expect(labelsOf([session("a", "10:00"), old], old)).toEqual(["old: Terminal", "a: Terminal 2"]);
});

it("lists the three most recent of the ended sessions", () => {
  const ended = ["11:04", "11:03", "11:02", "11:01"].map((at) => session(at, at, "11:30"));
  expect(labelsOf(ended)).toEqual(["11:02: Terminal", "11:03: Terminal 2", "11:04: Terminal 3"]);
});
