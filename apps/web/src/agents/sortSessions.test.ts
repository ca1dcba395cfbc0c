import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { sortSessions } from "./sortSessions";

const session = (id: string, status: AgentSession["status"], minute: number, waitingForInput = false) =>
  ({ id, status, waitingForInput, startedAt: `2026-01-01T00:0${minute}:00.000Z` }) as AgentSession;

it("lists waiting sessions first, then running ones, without duplicates", () => {
  const ended = session("ended", "exited", 9);
  const old = session("old", "running", 1);
  const young = session("young", "running", 5);
  const waits = session("waits", "running", 0, true);
  expect(sortSessions([ended, old, young, waits, old]).map(({ id }) => id)).toEqual([
    "waits",
    "young",
    "old",
    "ended",
  ]);
});
