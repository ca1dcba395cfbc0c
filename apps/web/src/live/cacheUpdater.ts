import type { AgentRequest, AgentSession, Device, Task, Workspace } from "@grove/schemas";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Change } from "./hubMessages";
import { invalidate } from "./invalidate";
import { isOlder, removeItem } from "./upsert";

type StateChange = Exclude<Change, { type: "task" }>;

/** A procedure, as query keys name it. */
type Path = readonly [router: string, ...names: string[]];

/** Describes where one kind of item is in the cache. */
interface Kind<Item extends { id: string }> {
  list: Path;
  get?: Path;
  /** Whether the item passes a list's filter. */
  belongs(item: Item, filter: Record<string, unknown>): boolean;
  isOlder(item: Item, known: Item): boolean;
}

/** Filters by the item's fields of these names. */
const byFields =
  <Item>(...names: (keyof Item & string)[]) =>
  (item: Item, filter: Record<string, unknown>) =>
    names.every((name) => filter[name] === undefined || filter[name] === item[name]);

const devices: Kind<Device> = {
  list: ["device", "list"],
  get: ["device", "get"],
  belongs: (device, filter) =>
    byFields<Device>("status")(device, filter) &&
    (filter.includeRevoked === true || device.offlineReason !== "revoked"),
  isOlder: () => false,
};

const sessions: Kind<AgentSession> = {
  list: ["agent", "listSessions"],
  get: ["agent", "getSession"],
  belongs: byFields("deviceId", "workspaceId", "taskId", "status"),
  // An ended session never runs again.
  isOlder: (session, known) => session.endedAt === null && known.endedAt !== null,
};

const requests: Kind<AgentRequest> = {
  list: ["agent", "listRequests"],
  get: ["agent", "getRequest"],
  belongs: byFields("sessionId", "status"),
  // A settled request never opens again.
  isOlder: (request, known) => request.status === "open" && known.status !== "open",
};

const workspaces: Kind<Workspace> & { get: Path } = {
  list: ["workspace", "list"],
  get: ["workspace", "get"],
  belongs: byFields("projectId", "deviceId", "type"),
  isOlder,
};

/** Lists of people and of their access. */
const people: Path[] = [
  ["organization", "listMembers"],
  ["organization", "listInvitations"],
  ["apiKey", "list"],
];
const reviews = { list: ["workspace", "review", "list"] } as const;
const changes = { list: ["workspace", "change", "list"], get: ["workspace", "change", "get"] } as const;
/** Read from the code host, so only that of the change is refetched. */
const pullStatus: Path = ["workspace", "change", "pullStatus"];
const tasks = { list: ["task", "list"], get: ["task", "get"] } as const;
const projects = { list: ["project", "list"], get: ["project", "get"] } as const;

/**
 * Applies changes of devices, agent sessions, agents' requests and workspaces to the query cache. Idempotent, and safe
 * when changes arrive out of order.
 */
export class CacheUpdater {
  readonly #cache: QueryClient;
  /** The time of the newest change of each device, session, request and task's state, which have no `updatedAt`. */
  readonly #changedAt = new Map<string, number>();
  readonly #deleted = new Set<string>();

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  apply(organizationId: string, change: StateChange): void {
    if (change.type === "workspace_gone") this.#remove(organizationId, change.id);
    else if (change.type === "review") this.#refetch(reviews);
    else if (change.type === "change") {
      this.#refetch(changes);
      this.#refetchPull(organizationId, change.changeId);
      this.#setTaskState(organizationId, change);
    } else if (change.type === "projects_changed") this.#refetch(projects);
    else if (change.type === "organization_changed") this.#refetchPeople();
    else if (change.type === "workspace") {
      if (!this.#deleted.has(change.workspace.id)) this.#upsert(organizationId, workspaces, change.workspace);
    } else {
      const { id } = itemOf(change);
      const at = Date.parse(change.at);
      if (at < (this.#changedAt.get(id) ?? 0)) return;
      this.#changedAt.set(id, at);
      if (change.type === "device") this.#updateDevice(organizationId, change.device);
      else if (change.type === "session") this.#upsert(organizationId, sessions, change.session);
      else this.#upsert(organizationId, requests, change.request);
    }
  }

  /** Invalidates all queries that this class updates, and the queries of projects, changes, reviews and people. */
  refetchAll(): void {
    for (const kind of [devices, sessions, requests, workspaces, projects, changes, reviews])
      this.#refetch(kind);
    this.#refetchPeople();
  }

  #updateDevice(organizationId: string, device: Device): void {
    this.#upsert(organizationId, devices, device);
    // When the device is online again, its answers may differ, for instance after a change of its configuration.
    if (device.status === "offline")
      void this.#cache.invalidateQueries({ queryKey: ["deviceTool", device.id], refetchType: "none" });
  }

  #refetchPull(organizationId: string, changeId: string): void {
    for (const { queryKey, input } of this.#queriesOf(organizationId, pullStatus))
      if (input.changeId === changeId) this.#invalidateOne(queryKey);
  }

  #refetchPeople(): void {
    for (const path of people) invalidate(this.#cache, { queryKey: [path] });
  }

  #refetch({ list, get }: { list: Path; get?: Path }): void {
    for (const path of get ? [list, get] : [list]) invalidate(this.#cache, { queryKey: [path] });
  }

  #upsert<Item extends { id: string }>(organizationId: string, kind: Kind<Item>, item: Item): void {
    for (const { queryKey, input, isSettled } of this.#queriesOf(organizationId, kind.list)) {
      const items = this.#cache.getQueryData<unknown>(queryKey);
      if (items === undefined && isSettled) continue;
      const known = Array.isArray(items) ? (items as Item[]).find(({ id }) => id === item.id) : undefined;
      const belongs = kind.belongs(item, input);
      if (known && isSettled) {
        if (kind.isOlder(item, known)) continue;
        this.#cache.setQueryData<Item[]>(queryKey, (list = []) =>
          belongs ? list.map((each) => (each.id === item.id ? item : each)) : removeItem(list, item.id),
        );
      } else if (belongs || known) this.#invalidateOne(queryKey);
    }
    if (!kind.get) return;
    for (const { queryKey, input, isSettled } of this.#queriesOf(organizationId, kind.get)) {
      if (input.id !== item.id) continue;
      if (!isSettled) this.#invalidateOne(queryKey);
      else
        this.#cache.setQueryData<Item>(queryKey, (known) =>
          known && !kind.isOlder(item, known) ? item : known,
        );
    }
  }

  #remove(organizationId: string, id: string): void {
    this.#deleted.add(id);
    for (const { queryKey, isSettled } of this.#queriesOf(organizationId, workspaces.list)) {
      if (!isSettled) this.#invalidateOne(queryKey);
      else this.#cache.setQueryData<Workspace[]>(queryKey, (list) => list && removeItem(list, id));
    }
    // The response is NOT_FOUND. The page that deletes the workspace disables this query and navigates away.
    for (const { queryKey, input } of this.#queriesOf(organizationId, workspaces.get))
      if (input.id === id) this.#invalidateOne(queryKey);
  }

  /** Sets the state of a change's task. */
  #setTaskState(
    organizationId: string,
    { taskId, taskState, at }: Extract<StateChange, { type: "change" }>,
  ): void {
    if (taskId === null || Date.parse(at) < (this.#changedAt.get(taskId) ?? 0)) return;
    this.#changedAt.set(taskId, Date.parse(at));
    const update = (task: Task): Task =>
      task.id === taskId && task.changeState !== taskState ? { ...task, changeState: taskState } : task;
    for (const { queryKey, isSettled } of this.#queriesOf(organizationId, tasks.list)) {
      if (isSettled) this.#cache.setQueryData<Task[]>(queryKey, (list) => list?.map(update));
      else this.#invalidateOne(queryKey);
    }
    for (const { queryKey, isSettled } of this.#queriesOf(organizationId, tasks.get)) {
      if (isSettled) this.#cache.setQueryData<Task>(queryKey, (task) => task && update(task));
      else this.#invalidateOne(queryKey);
    }
  }

  #invalidateOne(queryKey: QueryKey): void {
    invalidate(this.#cache, { queryKey, exact: true });
  }

  /** Yields the queries of a procedure in an organization. A settled query has data and no fetch in flight. */
  *#queriesOf(organizationId: string, path: Path) {
    for (const { queryKey, state } of this.#cache.getQueryCache().findAll({ queryKey: [path] })) {
      const input = inputOf<Record<string, unknown>>(queryKey);
      if (input?.organizationId !== organizationId) continue;
      yield { queryKey, input, isSettled: state.fetchStatus === "idle" && state.status !== "error" };
    }
  }
}

function itemOf(change: Exclude<Extract<StateChange, { at: string }>, { type: "review" | "change" }>): {
  id: string;
} {
  if (change.type === "device") return change.device;
  return change.type === "session" ? change.session : change.request;
}

/** The input in a tRPC query key: `[path, { input, type }]`. */
export function inputOf<Input>([, rest]: readonly unknown[]): Input | undefined {
  return (rest as { input?: Input } | undefined)?.input;
}
