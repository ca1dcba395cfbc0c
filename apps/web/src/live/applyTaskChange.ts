import type { Task, TaskChange } from "@grove/schemas";
import type { QueryKey, QueryState } from "@tanstack/react-query";
import { queries, queryClient } from "../lib/api";
import { taskActivityKey } from "../lib/queries/taskActivityKey";
import { inputOf } from "./cacheUpdater";
import { invalidate } from "./invalidate";
import { passesFilter, type TaskListInput } from "./taskFilter";
import { isOlder, removeItem, upsertItem } from "./upsert";

/** The ids of deleted tasks, so that a late response does not bring one back. */
const deleted = new Set<string>();

/** Applies a task event of the stream, or the response to the user's own change, to the query cache. */
export function applyTaskChange(organizationId: string, event: TaskChange): void {
  if (event.type === "statuses_changed" || event.type === "tasks_changed") {
    refetchTasks(organizationId);
    return;
  }
  const { type, task } = event;
  if (type === "deleted") deleted.add(task.id);
  if (type === "created") deleted.delete(task.id);
  if (deleted.has(task.id) && type !== "deleted") return;
  const isCounted = type === "updated" && cachedStatus(organizationId, task.id) === task.status;
  applyToLists(organizationId, task);
  applyToPages(organizationId, task);
  // A request for the activity of a deleted task would fail with "not found".
  if (type !== "deleted") invalidate(queryClient, { queryKey: taskActivityKey(organizationId, task.id) });
  // A pull request's new state is reported as an update of its task.
  if (type === "updated") invalidate(queryClient, queries.workspace.change.list.pathFilter());
  if (!isCounted) invalidate(queryClient, queries.task.countByStatus.pathFilter());
}

/** The task's status in the cached lists. */
function cachedStatus(organizationId: string, id: string): string | undefined {
  for (const [queryKey, tasks] of queryClient.getQueriesData<Task[]>(queries.task.list.pathFilter()))
    if (inputOf<TaskListInput>(queryKey)?.organizationId === organizationId) {
      const known = tasks?.find((task) => task.id === id);
      if (known) return known.status;
    }
  return undefined;
}

export function refetchTasks(organizationId: string): void {
  invalidate(queryClient, queries.task.listStatuses.queryFilter({ organizationId }));
  const { list, get, countByStatus, listActivity } = queries.task;
  for (const procedure of [list, get, countByStatus, listActivity])
    invalidate(queryClient, procedure.pathFilter());
}

function applyToLists(organizationId: string, task: Task): void {
  const statuses = queryClient.getQueryData(queries.task.listStatuses.queryKey({ organizationId })) ?? [];
  const keys = statuses.map(({ key }) => key);
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.list.pathFilter())) {
    const input = inputOf<TaskListInput>(queryKey);
    if (input?.organizationId !== organizationId) continue;
    const isRefetched = discardResponse(queryKey, state);
    // Only the server searches.
    if (isRefetched || input.search !== undefined) invalidate(queryClient, { queryKey, exact: true });
    queryClient.setQueryData<Task[]>(queryKey, (tasks) => {
      if (!tasks) return tasks;
      if (deleted.has(task.id)) return removeItem(tasks, task.id);
      const isListed = tasks.some(({ id }) => id === task.id);
      return upsertItem(
        tasks,
        task,
        passesFilter(task, input, keys) && (isListed || input.search === undefined),
      );
    });
  }
}

function applyToPages(organizationId: string, task: Task): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(queries.task.get.pathFilter())) {
    const input = inputOf<{ organizationId: string; id: string }>(queryKey);
    if (input?.organizationId !== organizationId || ![task.id, task.slug].includes(input.id)) continue;
    const isRefetched = discardResponse(queryKey, state);
    const isUnknown = deleted.has(task.id) || state.status !== "success";
    if (!isUnknown)
      queryClient.setQueryData<Task>(queryKey, (known) => (known && isOlder(task, known) ? known : task));
    if (isUnknown || isRefetched) invalidate(queryClient, { queryKey, exact: true });
  }
}

/**
 * Cancels the fetch of a query that has data: its response may be older than the event.
 * @returns whether the query has to be fetched again
 */
function discardResponse(queryKey: QueryKey, { fetchStatus, data }: QueryState): boolean {
  if (fetchStatus !== "fetching") return false;
  // Without data, a page waits for the response.
  if (data !== undefined) void queryClient.cancelQueries({ queryKey, exact: true });
  return true;
}
