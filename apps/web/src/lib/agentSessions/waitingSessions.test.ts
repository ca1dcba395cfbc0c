import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { nextWaitingSession, waitingSessionsOf } from "./waitingSessions";

const session = (id: string, fields: Partial<AgentSession> = {}) =>
  ({
    id,
    waitingForInput: true,
    activity: null,
    startedBy: "me",
    questionText: "Sure?",
    startedAt: `2026-01-01T00:00:0${id}.000Z`,
    ...fields,
  }) as AgentSession;

const ids = (sessions: AgentSession[]) => sessions.map(({ id }) => id);

it("includes the user's own sessions, and readable ones without a known starter, oldest first", () => {
  const sessions = [
    session("5"),
    session("4", { waitingForInput: false, questionText: null }),
    session("3", { startedBy: "another user" }),
    session("2", { startedBy: null, questionText: null }),
    session("1", { startedBy: null }),
    session("6", { activity: { state: "done", source: "hook" } as AgentSession["activity"] }),
    session("0", { questionText: null }),
  ];
  expect(ids(waitingSessionsOf(sessions, "me"))).toEqual(["0", "1", "5"]);
});

it("cycles through the sessions", () => {
  const waiting = [session("1"), session("2")];
  expect(["1", "2", "7", undefined].map((id) => nextWaitingSession(waiting, id)?.id)).toEqual([
    "2",
    "1",
    "1",
    "1",
  ]);
  expect(nextWaitingSession([], "1")).toBeUndefined();
});
