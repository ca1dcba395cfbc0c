import type { TaskStatus } from "@grove/schemas";
import type { TaskFilter, TaskSearch } from "./taskFilters";

// Not in `filters.ts`, because that file is part of the initial load.

/** Whether the URL limits the tasks in any way. */
export const isFiltered = ({ view: _, ...filter }: TaskSearch): boolean => Object.keys(filter).length > 0;

/** Whether the filter includes a status: by its key, or by its type if no status has that key. */
export const matchesStatus = (
  { status: filter }: TaskFilter,
  { key, type }: TaskStatus,
  statuses: readonly TaskStatus[],
): boolean =>
  filter === undefined ||
  filter.includes(key) ||
  (filter.includes(type) && statuses.every((status) => status.key !== type));
