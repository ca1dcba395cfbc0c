import type { AgentRequest, AgentSession, Change, CommandListed, Device, Task } from "@grove/schemas";
import { expect, it } from "vitest";
import { nowSections } from "./nowSections";

const SINCE = "2026-01-09T00:00:00.000Z";
const reader = {
  me: "me",
  dismissedIds: [],
  dismissedSessions: new Set(["dismissed"]),
  now: Date.parse("2026-01-10T00:00:00.000Z"),
};
const nothing = {
  running: [],
  devices: [],
  tasks: [],
  requests: [],
  changes: [],
  seen: undefined,
  failed: [],
};
const sectionsOf = (data: Partial<Parameters<typeof nowSections>[0]>) =>
  nowSections({ ...nothing, ...data }, reader);

const session = (id: string, fields: Partial<AgentSession> = {}) =>
  ({
    id,
    startedBy: "me",
    deviceId: "online",
    startedAt: SINCE,
    status: "running",
    taskId: null,
    questionText: null,
    activity: null,
    waitingForInput: false,
    ...fields,
  }) as AgentSession;
const waits = { waitingForInput: true };
const isDone = {
  activity: { state: "done", since: SINCE, source: "hook", detail: null, limitedUntil: null },
};
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

it("is empty without data, and not once one section has an item", () => {
  expect(sectionsOf({}).isEmpty).toBe(true);
  expect(sectionsOf({ tasks: [{ id: "task" } as Task] }).isEmpty).toBe(false);
  expect(sectionsOf({ running: [session("mine", waits)] }).isEmpty).toBe(false);
  expect(sectionsOf({ running: [session("other", { ...waits, startedBy: "other" })] }).isEmpty).toBe(true);
  const failed = [{ id: "failed", createdAt: SINCE, finishedAt: SINCE } as CommandListed];
  expect(sectionsOf({ failed }).isEmpty).toBe(false);
});

it("lists a dismissed session among the running ones, unless its agent reports that it waits", () => {
  const guessed = sectionsOf({ running: [session("dismissed", waits)] });
  expect([guessed.waiting, guessed.otherWaitingCount, idsOf(guessed.working)]).toEqual([
    [],
    0,
    ["dismissed"],
  ]);
  const activity = { ...isDone.activity, state: "needs_permission" } as AgentSession["activity"];
  expect(idsOf(sectionsOf({ running: [session("dismissed", { activity })] }).waiting)).toEqual(["dismissed"]);
});

it("counts the agents that wait for other members, and shows no card for an agent with a request", () => {
  const running = [
    session("asked", waits),
    session("waits", waits),
    session("other", { ...waits, startedBy: "other" }),
  ];
  const requests = [{ id: "request", sessionId: "asked", isAnswerable: true } as AgentRequest];
  const { waiting, withoutRequest, otherWaitingCount, working } = sectionsOf({ running, requests });
  expect(idsOf(waiting)).toEqual(["asked", "waits"]);
  expect(idsOf(withoutRequest)).toEqual(["waits"]);
  expect(otherWaitingCount).toBe(1);
  expect(working).toEqual([]);
});

it("lists a running agent once: on its offline machine, as done, with its task, or as working", () => {
  const running = [
    session("offline", { deviceId: "offline" }),
    session("done", isDone as Partial<AgentSession>),
    session("of a task", { taskId: "task" }),
    session("working"),
    session("of another member", { startedBy: "other" }),
  ];
  const devices = [
    { id: "online", status: "online", ownerId: "me" } as Device,
    { id: "offline", status: "offline", ownerId: "me" } as Device,
  ];
  const data = { running, devices, tasks: [{ id: "task" } as Task] };
  const { offline, done, working } = sectionsOf({ ...data, seen: new Map<string, string>() });
  expect(offline).toMatchObject([{ device: { id: "offline" }, agents: 1 }]);
  expect(idsOf(done)).toEqual(["done"]);
  expect(idsOf(working)).toEqual(["working"]);
  // The sessions that the user has seen are not loaded yet.
  expect(idsOf(sectionsOf(data).working)).toEqual(["done", "working"]);
});

it("lists the user's waiting changes, without those whose agent asks", () => {
  const change = (id: string, workState: Change["workState"]) => ({ id, workState }) as Change;
  const { changes, isEmpty } = sectionsOf({
    changes: [change("ready", "ready"), change("asked", "needs_input")],
  });
  expect(idsOf(changes)).toEqual(["ready"]);
  expect(isEmpty).toBe(false);
});
