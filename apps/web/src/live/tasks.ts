import type { Task, TaskChange } from "@grove/schemas";
import { queries, queryClient } from "../lib/api";
import { askAgain } from "./askAgain";
import { isOlder, withItem, withoutItem } from "./merge";
import { passes, type TaskListInput } from "./passes";
import { inputOf } from "./patches";

/** Deleted here or by somebody else. An answer that comes later does not bring such a task back. */
const deleted = new Set<string>();

/** Brings an event of the stream, or the answer to an own change, into everything that is on the screen. */
export function applyTaskChange(organizationId: string, event: TaskChange): void {
  if (event.type === "statuses_changed" || event.type === "tasks_changed" || !hasRank(event.task)) {
    readTasksAgain(organizationId);
    return;
  }
  const { type, task } = event;
  if (type === "deleted") deleted.add(task.id);
  if (type === "created") deleted.delete(task.id);
  if (deleted.has(task.id) && type !== "deleted") return;
  const isCounted = type === "updated" && knownStatus(organizationId, task.id) === task.status;
  applyToLists(organizationId, task);
  applyToPages(organizationId, task);
  if (!isCounted) askAgain(queryClient, queries.task.countByStatus.pathFilter());
}

/** Whether an event says the place of its task. Those of an older version of the API do not. */
const hasRank = ({ rank }: { rank?: string }): boolean => rank !== undefined;

/** The status with which a task is in a list here. */
function knownStatus(organizationId: string, id: string): string | undefined {
  for (const [queryKey, tasks] of queryClient.getQueriesData<Task[]>(queries.task.list.pathFilter()))
    if (inputOf<TaskListInput>(queryKey)?.organizationId === organizationId) {
      const known = tasks?.find((task) => task.id === id);
      if (known) return known.status;
    }
  return undefined;
}

/** Asks again for everything about tasks that is on the screen. */
export function readTasksAgain(organizationId: string): void {
  askAgain(queryClient, queries.task.listStatuses.queryFilter({ organizationId }));
  for (const filter of [queries.task.list, queries.task.get, queries.task.countByStatus])
    askAgain(queryClient, filter.pathFilter());
}

function applyToLists(organizationId: string, task: Task): void {
  const statuses = queryClient.getQueryData(queries.task.listStatuses.queryKey({ organizationId })) ?? [];
  const keys = statuses.map(({ key }) => key);
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.list.pathFilter())) {
    const input = inputOf<TaskListInput>(queryKey);
    if (input?.organizationId !== organizationId) continue;
    // An answer that is on its way may be older than the event, and only the server searches.
    if (state.fetchStatus === "fetching" || input.search !== undefined)
      askAgain(queryClient, { queryKey, exact: true });
    queryClient.setQueryData<Task[]>(queryKey, (tasks) => {
      if (!tasks) return tasks;
      if (deleted.has(task.id)) return withoutItem(tasks, task.id);
      const isListed = tasks.some(({ id }) => id === task.id);
      return withItem(tasks, task, passes(task, input, keys) && (isListed || input.search === undefined));
    });
  }
}

function applyToPages(organizationId: string, task: Task): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.get.pathFilter())) {
    const input = inputOf<{ organizationId: string; id: string }>(queryKey);
    if (input?.organizationId !== organizationId || ![task.id, task.slug].includes(input.id)) continue;
    if (deleted.has(task.id) || state.status === "error" || state.fetchStatus === "fetching")
      askAgain(queryClient, { queryKey, exact: true });
    else queryClient.setQueryData<Task>(queryKey, (known) => (known && isOlder(task, known) ? known : task));
  }
}
