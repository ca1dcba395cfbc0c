import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { nextWaitingSession, waitingSessionsOf } from "./waitingSessions";

const session = (id: string, fields: Partial<AgentSession> = {}) =>
  ({
    id,
    waitingForInput: true,
    startedBy: "me",
    asks: "Sure?",
    startedAt: `2026-01-01T00:00:0${id}.000Z`,
    ...fields,
  }) as AgentSession;

const ids = (sessions: AgentSession[]) => sessions.map(({ id }) => id);

it("counts the agents that this person has started, and those of nobody that may be read; the oldest first", () => {
  const sessions = [
    session("5"),
    session("4", { waitingForInput: false, asks: null }),
    session("3", { startedBy: "somebody else" }),
    session("2", { startedBy: null, asks: null }),
    session("1", { startedBy: null }),
    session("0", { asks: null }),
  ];
  expect(ids(waitingSessionsOf(sessions, "me"))).toEqual(["0", "1", "5"]);
});

it("goes from one to the next in a circle", () => {
  const asking = [session("1"), session("2")];
  expect(["1", "2", "7", undefined].map((id) => nextWaitingSession(asking, id)?.id)).toEqual([
    "2",
    "1",
    "1",
    "1",
  ]);
  expect(nextWaitingSession([], "1")).toBeUndefined();
});
