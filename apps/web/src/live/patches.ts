import type { AgentSession, Device, Workspace } from "@grove/schemas";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { askAgain } from "./askAgain";
import { isOlder, withoutItem } from "./merge";
import type { Change } from "./messages";

type StateChange = Exclude<Change, { type: "task" }>;

/** A procedure, as the keys of queries name it. */
type Path = readonly [router: string, name: string];

/** Finds things of one kind in the cache. */
interface Kind<Item extends { id: string }> {
  list: Path;
  get: Path;
  /** Whether the thing passes a list's filter. */
  belongs(item: Item, filter: Record<string, unknown>): boolean;
  /** Whether the change says something older than what is known. */
  isOlder(item: Item, known: Item): boolean;
}

/** Filters by fields of the thing with these names. */
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

const workspaces: Kind<Workspace> = {
  list: ["workspace", "list"],
  get: ["workspace", "get"],
  belongs: byFields("projectId", "deviceId", "type"),
  isOlder,
};

/** Lists of people, and of what gives access. */
const people: Path[] = [
  ["organization", "listMembers"],
  ["organization", "listInvitations"],
  ["apiKey", "list"],
];
const projects = { list: ["project", "list"], get: ["project", "get"] } as const;

/** Brings changes of devices, agent sessions and workspaces into the cache: in any order, and as often as they come. */
export class Patches {
  readonly #cache: QueryClient;
  /** When the newest change of each device and session was read: these have no version of their own. */
  readonly #readAt = new Map<string, number>();
  readonly #gone = new Set<string>();

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  apply(organizationId: string, change: StateChange): void {
    if (change.type === "workspace_gone") this.#remove(organizationId, change.id);
    else if (change.type === "projects_changed") this.#readAgain(projects);
    else if (change.type === "organization_changed") this.#readPeopleAgain();
    else if (change.type === "workspace") {
      if (!this.#gone.has(change.workspace.id)) this.#put(organizationId, workspaces, change.workspace);
    } else {
      const { id } = change.type === "device" ? change.device : change.session;
      const at = Date.parse(change.at);
      if (at < (this.#readAt.get(id) ?? 0)) return;
      this.#readAt.set(id, at);
      if (change.type === "device") this.#put(organizationId, devices, change.device);
      else this.#put(organizationId, sessions, change.session);
    }
  }

  /** Asks again for everything of this kind that is on the screen. */
  readAgain(): void {
    for (const kind of [devices, sessions, workspaces, projects]) this.#readAgain(kind);
    this.#readPeopleAgain();
  }

  #readPeopleAgain(): void {
    for (const path of people) askAgain(this.#cache, { queryKey: [path] });
  }

  #readAgain({ list, get }: { list: Path; get: Path }): void {
    for (const path of [list, get]) askAgain(this.#cache, { queryKey: [path] });
  }

  #put<Item extends { id: string }>(organizationId: string, kind: Kind<Item>, item: Item): void {
    for (const { queryKey, input, isCertain } of this.#of(organizationId, kind.list)) {
      const items = this.#cache.getQueryData<unknown>(queryKey);
      if (items === undefined && isCertain) continue;
      const known = Array.isArray(items) ? (items as Item[]).find(({ id }) => id === item.id) : undefined;
      const belongs = kind.belongs(item, input);
      if (known && isCertain) {
        if (kind.isOlder(item, known)) continue;
        this.#cache.setQueryData<Item[]>(queryKey, (list = []) =>
          belongs ? list.map((each) => (each.id === item.id ? item : each)) : withoutItem(list, item.id),
        );
      } else if (belongs || known) this.#askAgain(queryKey);
    }
    for (const { queryKey, input, isCertain } of this.#of(organizationId, kind.get)) {
      if (input.id !== item.id) continue;
      if (!isCertain) this.#askAgain(queryKey);
      else
        this.#cache.setQueryData<Item>(queryKey, (known) =>
          known && !kind.isOlder(item, known) ? item : known,
        );
    }
  }

  #remove(organizationId: string, id: string): void {
    this.#gone.add(id);
    for (const { queryKey, isCertain } of this.#of(organizationId, workspaces.list)) {
      if (!isCertain) this.#askAgain(queryKey);
      else this.#cache.setQueryData<Workspace[]>(queryKey, (list) => list && withoutItem(list, id));
    }
    // The answer says that it is gone. The page that deletes it does not ask, and leaves by itself.
    for (const { queryKey, input } of this.#of(organizationId, workspaces.get))
      if (input.id === id) this.#askAgain(queryKey);
  }

  #askAgain(queryKey: QueryKey): void {
    askAgain(this.#cache, { queryKey, exact: true });
  }

  /** The queries of a procedure in an organization. A certain one has an answer, and none is on its way. */
  *#of(organizationId: string, path: Path) {
    for (const { queryKey, state } of this.#cache.getQueryCache().findAll({ queryKey: [path] })) {
      const input = inputOf<Record<string, unknown>>(queryKey);
      if (input?.organizationId !== organizationId) continue;
      yield { queryKey, input, isCertain: state.fetchStatus === "idle" && state.status !== "error" };
    }
  }
}

/** The input in a key of tRPC: `[path, { input, type }]`. */
export function inputOf<Input>([, rest]: readonly unknown[]): Input | undefined {
  return (rest as { input?: Input } | undefined)?.input;
}
