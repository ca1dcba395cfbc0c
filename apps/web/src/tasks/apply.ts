import type { Task, TaskEvent } from "@grove/schemas";
import { queries, queryClient } from "../app/api";
import type { ListInput } from "./filters";
import { isOlder, withoutTask, withTask } from "./merge";
import { passes } from "./passes";

/** Deleted here or by somebody else. An answer that comes later does not bring such a task back. */
const deleted = new Set<string>();

/** Brings an event of the stream, or the answer to an own change, into everything that is on the screen. */
export function applyEvent(organizationId: string, event: Exclude<TaskEvent, { type: "ready" }>): void {
  if (event.type === "statuses_changed" || event.type === "tasks_changed") {
    readAgain(organizationId);
    return;
  }
  const { type, task } = event;
  if (type === "deleted") deleted.add(task.id);
  if (type === "created") deleted.delete(task.id);
  if (deleted.has(task.id) && type !== "deleted") return;
  applyToLists(organizationId, task);
  applyToPages(organizationId, task);
  if (type !== "updated") void queryClient.invalidateQueries(queries.task.count.pathFilter());
}

/** Asks again for everything about tasks that is on the screen. */
export function readAgain(organizationId: string): void {
  void queryClient.invalidateQueries(queries.task.listStatuses.queryFilter({ organizationId }));
  for (const filter of [queries.task.list, queries.task.get, queries.task.count])
    void queryClient.invalidateQueries(filter.pathFilter());
}

function applyToLists(organizationId: string, task: Task): void {
  const statuses = queryClient.getQueryData(queries.task.listStatuses.queryKey({ organizationId })) ?? [];
  const keys = statuses.map(({ key }) => key);
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.list.pathFilter())) {
    const input = inputOf<ListInput>(queryKey);
    if (input?.organizationId !== organizationId) continue;
    // An answer that is on its way may be older than the event, and only the server searches.
    if (state.fetchStatus === "fetching" || input.search !== undefined)
      void queryClient.invalidateQueries({ queryKey, exact: true });
    queryClient.setQueryData<Task[]>(queryKey, (tasks) => {
      if (!tasks) return tasks;
      if (deleted.has(task.id)) return withoutTask(tasks, task.id);
      const isListed = tasks.some(({ id }) => id === task.id);
      return withTask(tasks, task, passes(task, input, keys) && (isListed || input.search === undefined));
    });
  }
}

function applyToPages(organizationId: string, task: Task): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.get.pathFilter())) {
    const input = inputOf<{ organizationId: string; id: string }>(queryKey);
    if (input?.organizationId !== organizationId || ![task.id, task.slug].includes(input.id)) continue;
    if (deleted.has(task.id) || state.status === "error" || state.fetchStatus === "fetching")
      void queryClient.invalidateQueries({ queryKey, exact: true });
    else queryClient.setQueryData<Task>(queryKey, (known) => (known && isOlder(task, known) ? known : task));
  }
}

/** The input in a key of tRPC: `[path, { input, type }]`. */
function inputOf<Input>([, rest]: readonly unknown[]): Input | undefined {
  return (rest as { input?: Input } | undefined)?.input;
}
