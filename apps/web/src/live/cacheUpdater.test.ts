import type { AgentRequest, AgentSession, Device, Task, Workspace } from "@grove/schemas";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { CacheUpdater } from "./cacheUpdater";
import type { Change } from "./hubMessages";

const organizationId = "acme";
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const deviceOf = (fields: Partial<Device>): Device => ({
  id: "laptop",
  organizationId,
  ownerId: "ada",
  name: "laptop",
  platform: "linux",
  status: "online",
  offlineReason: null,
  lastSeenAt: at(0),
  agentVersion: "1.0.0",
  capabilities: [],
  shared: false,
  secretsAllowed: false,
  sshHost: null,
  createdAt: at(0),
  ...fields,
});
const sessionOf = (fields: Partial<AgentSession>): AgentSession => ({
  id: "session",
  deviceId: "laptop",
  workspaceId: "tree",
  taskId: null,
  agent: "claude",
  name: null,
  lastLine: null,
  status: "running",
  waitingForInput: false,
  questionText: null,
  screen: null,
  activity: null,
  exitCode: null,
  error: null,
  startedBy: "ada",
  startedAt: at(0),
  endedAt: null,
  ...fields,
});
const workspaceOf = (fields: Partial<Workspace>): Workspace => ({
  id: "tree",
  organizationId,
  projectId: "app",
  deviceId: "laptop",
  name: "tree",
  type: "worktree",
  config: {},
  createdBy: "ada",
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
});

const key = (router: string, name: string, input: object = {}) => [
  [router, name],
  { input: { organizationId, ...input }, type: "query" },
];
const keys = {
  devices: key("device", "list"),
  device: key("device", "get", { id: "laptop" }),
  sessions: key("agent", "listSessions"),
  running: key("agent", "listSessions", { status: "running" }),
  session: key("agent", "getSession", { id: "session" }),
  workspaces: key("workspace", "list"),
  workspace: key("workspace", "get", { id: "tree" }),
};

/** A cache with one item of each kind. */
function filled() {
  const cache = new QueryClient();
  cache.setQueryData(keys.devices, [deviceOf({})]);
  cache.setQueryData(keys.device, deviceOf({}));
  cache.setQueryData(keys.sessions, [sessionOf({})]);
  cache.setQueryData(keys.running, [sessionOf({})]);
  cache.setQueryData(keys.session, sessionOf({}));
  cache.setQueryData(keys.workspaces, [workspaceOf({})]);
  cache.setQueryData(keys.workspace, workspaceOf({}));
  const updater = new CacheUpdater(cache);
  return {
    cache,
    updater,
    apply: (...changes: Exclude<Change, { type: "task" }>[]) => {
      for (const change of changes) updater.apply(organizationId, change);
    },
    state: () => Object.values(keys).map((each) => cache.getQueryData(each)),
    isStale: (each: unknown[]) => cache.getQueryState(each)?.isInvalidated,
  };
}

const orders = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe("changes", () => {
  const offline = deviceOf({ status: "offline", offlineReason: "disconnected" });
  const ended = sessionOf({ status: "exited", exitCode: 0, endedAt: at(3) });
  const changes: Exclude<Change, { type: "task" }>[] = [
    { type: "device", device: deviceOf({ name: "desk" }), at: at(1) },
    { type: "device", device: offline, at: at(2) },
    { type: "session", session: sessionOf({ waitingForInput: true, questionText: "Allow it?" }), at: at(1) },
    { type: "session", session: ended, at: at(2) },
    { type: "workspace", workspace: workspaceOf({ name: "renamed", updatedAt: at(1) }) },
  ];

  it("end with the newest state, in any order", () => {
    for (const order of orders(changes)) {
      const { apply, state } = filled();
      apply(...order);
      const workspace = workspaceOf({ name: "renamed", updatedAt: at(1) });
      expect(state()).toEqual([[offline], offline, [ended], [], ended, [workspace], workspace]);
    }
  });

  it("may come again", () => {
    const { apply, state } = filled();
    apply(...changes);
    const before = state();
    apply(...changes, ...changes);
    expect(state()).toEqual(before);
  });

  it("of another organization change nothing", () => {
    const { updater, state } = filled();
    const before = state();
    for (const change of changes) updater.apply("other", change);
    expect(state()).toEqual(before);
  });
});

it("removes a deleted workspace, and does not bring it back", () => {
  const { apply, cache, isStale } = filled();
  apply({ type: "workspace_gone", id: "tree" });
  apply({ type: "workspace", workspace: workspaceOf({ name: "late", updatedAt: at(5) }) });
  expect(cache.getQueryData(keys.workspaces)).toEqual([]);
  expect(isStale(keys.workspace)).toBe(true);
});

it("reads what a device has answered again after it was offline", () => {
  const { cache, apply, isStale } = filled();
  const [of, ofOther] = ["laptop", "server"].map((id) => ["deviceTool", id, "list_agents", {}]);
  for (const queryKey of [of, ofOther]) cache.setQueryData(queryKey ?? [], { agents: [] });
  apply({ type: "device", device: deviceOf({ name: "desk" }), at: at(1) });
  expect(isStale(of ?? [])).toBe(false);
  apply({ type: "device", device: deviceOf({ status: "offline" }), at: at(2) });
  expect([of, ofOther].map((queryKey) => isStale(queryKey ?? []))).toEqual([true, false]);
});

it("removes a revoked device from lists without revoked devices", () => {
  const { apply, cache } = filled();
  apply({ type: "device", device: deviceOf({ status: "offline", offlineReason: "revoked" }), at: at(1) });
  expect(cache.getQueryData(keys.devices)).toEqual([]);
});

it("invalidates the lists that a new item belongs to, since only the API knows its position", () => {
  const { apply, isStale } = filled();
  apply({
    type: "session",
    session: sessionOf({ id: "other", status: "exited", endedAt: at(1) }),
    at: at(1),
  });
  expect([isStale(keys.sessions), isStale(keys.running)]).toEqual([true, false]);
});

describe("a request", () => {
  const request = (fields: Partial<AgentRequest> = {}) =>
    ({ id: "request", sessionId: "session", status: "open", ...fields }) as AgentRequest;
  const open = key("agent", "listRequests", { status: "open" });
  const ofSession = key("agent", "listRequests", { sessionId: "session" });

  it("is added to the open ones by a refetch, and leaves them once it is settled", () => {
    const { apply, cache, isStale } = filled();
    cache.setQueryData(open, []);
    apply({ type: "request", request: request(), at: at(1) });
    expect(isStale(open)).toBe(true);
    for (const each of [open, ofSession]) cache.setQueryData(each, [request()]);
    const settled = request({ status: "answered" });
    apply({ type: "request", request: settled, at: at(2) });
    apply({ type: "request", request: request(), at: at(3) });
    expect(cache.getQueryData(open)).toEqual([]);
    expect(cache.getQueryData(ofSession)).toEqual([settled]);
  });
});

it("shows the newest state of a task's changes, in lists and on the task's page", () => {
  const { apply, cache, isStale } = filled();
  const [list, get] = [key("task", "list"), key("task", "get", { id: "task" })];
  const changes = [["workspace", "change", "list"], { input: { organizationId, waits: true } }];
  const [task, other] = ["task", "other"].map((id) => ({ id, changeState: null }) as Task);
  cache.setQueryData(list, [task, other]);
  cache.setQueryData(get, task);
  cache.setQueryData(changes, []);
  const change = { type: "change", changeId: "change", taskId: "task", workState: "ready" } as const;
  apply({ ...change, taskState: "needs_input", at: at(2) }, { ...change, taskState: "ready", at: at(1) });
  expect(cache.getQueryData(list)).toEqual([{ ...task, changeState: "needs_input" }, other]);
  expect(cache.getQueryData(get)).toEqual({ ...task, changeState: "needs_input" });
  expect(isStale(changes)).toBe(true);
});

it("invalidates the pull request of a change, and no other's", () => {
  const { cache, apply, isStale } = filled();
  const pullOf = (changeId: string) => [
    ["workspace", "change", "pullStatus"],
    { input: { organizationId, changeId } },
  ];
  for (const id of ["change", "other"]) cache.setQueryData(pullOf(id), null);
  apply({
    type: "change",
    changeId: "change",
    taskId: null,
    workState: "checks_failed",
    taskState: null,
    at: at(1),
  });
  expect(["change", "other"].map((id) => isStale(pullOf(id)))).toEqual([true, false]);
});

it("invalidates projects and members when one of them has changed", () => {
  const { apply, cache, isStale } = filled();
  const projects = key("project", "list");
  const members = key("organization", "listMembers");
  for (const list of [projects, members]) cache.setQueryData(list, []);
  apply({ type: "projects_changed" });
  expect([isStale(projects), isStale(members)]).toEqual([true, false]);
  apply({ type: "organization_changed" });
  expect(isStale(members)).toBe(true);
});

it("invalidates a list again after a response that was in flight", async () => {
  const { apply, cache, isStale } = filled();
  let answer = (_devices: Device[]) => {};
  const fetching = cache.fetchQuery({
    queryKey: keys.devices,
    queryFn: () =>
      new Promise<Device[]>((resolve) => {
        answer = resolve;
      }),
  });
  apply({ type: "device", device: deviceOf({ name: "desk" }), at: at(1) });
  answer([deviceOf({})]);
  await fetching;
  expect(isStale(keys.devices)).toBe(true);
});
