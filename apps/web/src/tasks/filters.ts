import type { TaskPriority } from "@grove/schemas";
import type { TaskListInput } from "../live/taskFilter";
import { isPriority } from "./displayNames";

export interface TaskFilter {
  /** The key of a status, or a type of statuses. */
  status?: string;
  priority?: TaskPriority;
  /** A member's id, `me`, or `none` for tasks without an assignee. */
  assignee?: string;
  label?: string;
  /** Text in the title or the description. */
  q?: string;
}

/** The query string of the tasks pages. */
export interface TaskSearch extends TaskFilter {
  /** Omitted for the board. */
  view?: "list";
}

const memberId = /^(me|none|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Parses the query string. Drops values that the API would reject. */
export function readSearch(search: Record<string, unknown>): TaskSearch {
  const text = (key: string, max: number): string | undefined => {
    const value = search[key];
    // The router parses `q=42` as a number.
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return undefined;
    return `${value}`.trim() === "" ? undefined : `${value}`.slice(0, max);
  };
  const status = text("status", 80);
  const priority = text("priority", 20);
  const assignee = text("assignee", 36);
  const label = text("label", 50);
  const q = text("q", 200);
  return {
    ...(search.view === "list" && { view: "list" }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && isPriority(priority) && { priority }),
    ...(assignee !== undefined && memberId.test(assignee) && { assignee }),
    ...(label !== undefined && { label }),
    ...(q !== undefined && { q }),
  };
}

export const isFiltered = ({ view: _, ...filter }: TaskSearch): boolean => Object.keys(filter).length > 0;

/**
 * Converts a filter to the input of `task.list`, in board order.
 * @param me the current user's id, for the assignee `me`
 */
export function listInput(organizationId: string, me: string, filter: TaskFilter): TaskListInput {
  const { status, priority, assignee, label, q } = filter;
  return {
    organizationId,
    order: "rank",
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(assignee === "none" && { unassigned: true as const }),
    ...(assignee !== undefined && assignee !== "none" && { assigneeId: assignee === "me" ? me : assignee }),
    ...(label !== undefined && { labels: [label] }),
    ...(q !== undefined && { search: q }),
  };
}
