import { type Connection, type Member, MIN_PAGE, type Task, type TaskStatus } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { membersQuery } from "../lib/queries/membersQuery";
import { passesFilter } from "../live/taskFilter";
import { listInput, type TaskFilter } from "./filter/taskFilters";
import { applyPending } from "./optimisticTask";
import { usePendingChanges, usePendingDeletions, usePendingMoves } from "./taskMutations";

/** Counts that cannot use an index stop here. */
const MAX_COUNTED = 1_000;

/** The tasks that match a filter, with all changes in flight applied. */
export function useTasks(filter: TaskFilter) {
  const { id: organizationId } = useOrganization();
  const { id: me } = useUser();
  const input = listInput(organizationId, me, filter);
  const list = useQuery({ ...queries.task.list.queryOptions(input), placeholderData: keepPreviousData });
  const isCostly = filter.q !== undefined || filter.label !== undefined || filter.priority !== undefined;
  const counts = useQuery({
    ...queries.task.countByStatus.queryOptions({ ...input, ...(isCostly && { atMost: MAX_COUNTED }) }),
    enabled: (list.data?.length ?? 0) >= MIN_PAGE,
  });
  const statuses = useStatuses();
  const moves = usePendingMoves().map(({ id, status }) => ({ id, fields: { status } }));
  const changes = [...usePendingChanges(), ...moves];
  const deletions = usePendingDeletions();
  const keys = statuses.map(({ key }) => key);
  const tasks = list.data
    ?.filter(({ id }) => !deletions.includes(id))
    .map((task) => applyPending(task, changes, statuses))
    .filter((task) => passesFilter(task, input, keys));
  const sum = counts.data?.reduce((subtotal, { total }) => subtotal + total, 0) ?? 0;
  const isExact = !isCostly || sum < MAX_COUNTED;
  const isIncomplete = list.data !== undefined && (sum > list.data.length || !isExact);
  return {
    tasks,
    list,
    /** The number of tasks, if the list is incomplete. Without `byStatus`, `all` is a lower bound. */
    totals: isIncomplete
      ? {
          all: sum,
          byStatus: isExact
            ? Object.fromEntries(counts.data?.map(({ status, total }) => [status, total]) ?? [])
            : undefined,
        }
      : undefined,
  };
}

const noStatuses: TaskStatus[] = [];
const noMembers: Member[] = [];
const noConnections: Connection[] = [];

/** The organization's statuses, in board order. */
export function useStatuses(): TaskStatus[] {
  const { id: organizationId } = useOrganization();
  return useQuery(queries.task.listStatuses.queryOptions({ organizationId })).data ?? noStatuses;
}

/** The organization's members, newest first. */
export function useMembers(): Member[] {
  const { id: organizationId } = useOrganization();
  return useQuery(membersQuery(organizationId)).data ?? noMembers;
}

/** The organization's connected issue trackers, newest first. */
export function useTrackers(): Connection[] {
  const { id: organizationId } = useOrganization();
  const all = useQuery(queries.integration.list.queryOptions({ organizationId })).data ?? noConnections;
  return all.filter(({ kind }) => kind === "tracker");
}

export const memberOptions = (members: Member[]) =>
  members.map(({ userId, name }) => ({ value: userId, title: name }));

export const statusOptions = (statuses: TaskStatus[]) =>
  statuses.map(({ key, name }) => ({ value: key, title: name }));

/** Returns the member's name, or "A former member". */
export const memberName = (members: Member[], id: string): string =>
  members.find(({ userId }) => userId === id)?.name ?? "A former member";

/** Returns the distinct labels of the tasks, sorted. */
export const labelsOf = (tasks: readonly Task[]): string[] =>
  [...new Set(tasks.flatMap(({ labels }) => labels))].sort((a, b) => a.localeCompare(b));
