import type { Connection, Member, Task, TaskStatus } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { membersQuery } from "../lib/members";
import { passesFilter } from "../live/taskFilter";
import { usePendingChanges, usePendingDeletions, usePendingMoves } from "./changes";
import { listInput, type TaskFilter } from "./filters";
import { withChanges } from "./merge";

/** A page that is shorter than this is the last one. */
const LEAST = 16;
/** Where counting ends when each task has to be looked at. */
const MOST = 1_000;

/** The tasks that pass a filter, as they will be once the API has accepted the changes that are on their way. */
export function useTasks(filter: TaskFilter) {
  const { id: organizationId } = useOrganization();
  const { id: me } = useUser();
  const input = listInput(organizationId, me, filter);
  const list = useQuery({ ...queries.task.list.queryOptions(input), placeholderData: keepPreviousData });
  const isCostly = filter.q !== undefined || filter.label !== undefined || filter.priority !== undefined;
  const counts = useQuery({
    ...queries.task.countByStatus.queryOptions({ ...input, ...(isCostly && { atMost: MOST }) }),
    enabled: (list.data?.length ?? 0) >= LEAST,
  });
  const statuses = useStatuses();
  const moves = usePendingMoves().map(({ id, status }) => ({ id, fields: { status } }));
  const changes = [...usePendingChanges(), ...moves];
  const deletions = usePendingDeletions();
  const keys = statuses.map(({ key }) => key);
  const tasks = list.data
    ?.filter(({ id }) => !deletions.includes(id))
    .map((task) => withChanges(task, changes, statuses))
    .filter((task) => passesFilter(task, input, keys));
  const total = counts.data?.reduce((sum, each) => sum + each.total, 0) ?? 0;
  const isAll = !isCostly || total < MOST;
  const isPart = list.data !== undefined && (total > list.data.length || !isAll);
  return {
    tasks,
    list,
    /**
     * How many tasks there are, and of each status, if not all of them are here. There may be more than the total if it
     * is not known of each status.
     */
    all: isPart
      ? {
          total,
          byStatus: isAll
            ? Object.fromEntries(counts.data?.map(({ status, total }) => [status, total]) ?? [])
            : undefined,
        }
      : undefined,
  };
}

const noStatuses: TaskStatus[] = [];
const noMembers: Member[] = [];
const noConnections: Connection[] = [];

/** The organization's statuses, in order. */
export function useStatuses(): TaskStatus[] {
  const { id: organizationId } = useOrganization();
  return useQuery(queries.task.listStatuses.queryOptions({ organizationId })).data ?? noStatuses;
}

/** The organization's members, the newest first. */
export function useMembers(): Member[] {
  const { id: organizationId } = useOrganization();
  return useQuery(membersQuery(organizationId)).data ?? noMembers;
}

/** The issue trackers that the organization has connected, the newest first. */
export function useTrackers(): Connection[] {
  const { id: organizationId } = useOrganization();
  const all = useQuery(queries.integration.list.queryOptions({ organizationId })).data ?? noConnections;
  return all.filter(({ kind }) => kind === "tracker");
}

/** Members as the options of a choice. */
export const memberOptions = (members: Member[]) =>
  members.map(({ userId, name }) => ({ value: userId, title: name }));

/** Statuses as the options of a choice. */
export const statusOptions = (statuses: TaskStatus[]) =>
  statuses.map(({ key, name }) => ({ value: key, title: name }));

/** The name of a member; of one who has left, that. */
export const nameOf = (members: Member[], id: string): string =>
  members.find(({ userId }) => userId === id)?.name ?? "A former member";

/** The labels of some tasks, without duplicates, in the order of the alphabet. */
export const labelsOf = (tasks: readonly Task[]): string[] =>
  [...new Set(tasks.flatMap(({ labels }) => labels))].sort((a, b) => a.localeCompare(b));
