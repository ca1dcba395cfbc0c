import type { AgentRequest, AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { groupRequests, keepItems, sessionsWithRequests } from "./groupRequests";

const request = (id: string, fields: Partial<AgentRequest> = {}) =>
  ({
    id,
    sessionId: "mine",
    askedAt: `2026-01-01T00:00:0${id}.000Z`,
    isAnswerable: true,
    ...fields,
  }) as AgentRequest;
const sessions = [
  { id: "mine", startedBy: "me" },
  { id: "other", startedBy: "another user" },
] as AgentSession[];
const ids = (requests: readonly AgentRequest[]) => requests.map(({ id }) => id);

it("separates the requests of the user's sessions from those of others, oldest first", () => {
  const { own, others } = groupRequests(
    [
      request("3"),
      request("2", { sessionId: "other" }),
      request("1"),
      request("4", { sessionId: "unknown" }),
    ],
    sessions,
    "me",
  );
  expect([ids(own), ids(others)]).toEqual([
    ["1", "3"],
    ["2", "4"],
  ]);
});

it("lists snoozed requests apart while they are open", () => {
  const snoozedUntil = "2026-01-01T01:00:00.000Z";
  const { own, snoozed } = groupRequests(
    [
      request("1", { status: "open", snoozedUntil }),
      request("2", { status: "open", snoozedUntil: null }),
      request("3", { status: "answered", snoozedUntil }),
    ],
    sessions,
    "me",
  );
  expect([ids(own), ids(snoozed)]).toEqual([["2", "3"], ["1"]]);
});

it("keeps requests that are no longer listed, updates the others, and is the same if nothing has changed", () => {
  const before = [request("1"), request("2")];
  const after = keepItems(before, [request("2", { isAnswerable: false }), request("3")]);
  expect(after.map(({ id, isAnswerable }) => [id, isAnswerable])).toEqual([
    ["1", true],
    ["2", false],
    ["3", true],
  ]);
  expect(keepItems(after, after.slice(1))).toBe(after);
});

it("returns the sessions with an answerable request", () => {
  const requests = [request("1"), request("2", { sessionId: "other", isAnswerable: false })];
  expect([...sessionsWithRequests(requests)]).toEqual(["mine"]);
});
