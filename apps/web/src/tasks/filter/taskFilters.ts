import type { TaskPriority } from "@grove/schemas";
import { isId } from "../../lib/isId";
import type { TaskListInput } from "../../live/taskFilter";

/** A task passes if it has any of a field's values, and all of the labels. */
export interface TaskFilter {
  /** Keys of statuses, or types of statuses. */
  status?: string[];
  priority?: TaskPriority[];
  /** Members' ids, `me`, and `none` for tasks without an assignee. */
  assignee?: string[];
  label?: string[];
  /** Projects' ids. */
  project?: string[];
  /** Text in the title or the description. */
  q?: string;
}

/** The query string of the tasks pages. */
export interface TaskSearch extends TaskFilter {
  /** Omitted for the board. */
  view?: "list";
}

/** Not imported from `displayNames.ts`, whose texts would be part of the initial load. */
const priorities: readonly string[] = ["urgent", "high", "medium", "low", "none"] satisfies TaskPriority[];

/** Which values of each field the API accepts. */
const validators: Record<Exclude<keyof TaskFilter, "q">, (text: string) => boolean> = {
  status: ({ length }) => length <= 80,
  priority: (text) => priorities.includes(text),
  assignee: (text) => text === "me" || text === "none" || isId(text),
  label: ({ length }) => length <= 50,
  project: isId,
};
/** The API's maximum of values. */
const MAX_VALUES = 50;

/** Returns the values of a parameter, which may be repeated. The router parses `q=42` as a number. */
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((each) => typeof each !== "object")
    .map((each) => `${each ?? ""}`)
    .filter((text) => text.trim());

/** Parses the query string. Drops values that the API would reject. */
export function readSearch(search: Record<string, unknown>): TaskSearch {
  const fields = Object.entries(validators)
    .map(([name, isValid]) => [
      name,
      [...new Set(textsOf(search[name]).filter(isValid))].slice(0, MAX_VALUES),
    ])
    .filter(([, values]) => values?.length);
  const [q] = textsOf(search.q);
  return {
    ...(search.view === "list" && { view: "list" }),
    ...(Object.fromEntries(fields) as TaskFilter),
    ...(q && { q: q.slice(0, 200) }),
  };
}

/**
 * Converts a filter to the input of `task.list`, in board order.
 * @param me the current user's id, for the assignee `me`
 */
export function listInput(organizationId: string, me: string, filter: TaskFilter): TaskListInput {
  const { status, priority, assignee = [], label, project, q } = filter;
  const assigneeIds = assignee.filter((each) => each !== "none").map((each) => (each === "me" ? me : each));
  return {
    organizationId,
    order: "rank",
    ...(status && { statuses: status }),
    ...(priority && { priorities: priority }),
    ...(assignee.includes("none") && { unassigned: true as const }),
    ...(assigneeIds.length > 0 && { assigneeIds: [...new Set(assigneeIds)] }),
    ...(label && { labels: label }),
    ...(project && { projectIds: project }),
    ...(q !== undefined && { search: q }),
  };
}
