import type { TaskPriority } from "@grove/schemas";

/** Most urgent first. */
export const priorities = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
  none: "No priority",
} satisfies Record<TaskPriority, string>;

export const isPriority = (value: string): value is TaskPriority => Object.hasOwn(priorities, value);

export const priorityOptions = Object.entries(priorities)
  .filter((entry): entry is [TaskPriority, string] => isPriority(entry[0]))
  .map(([value, title]) => ({ value, title }));
