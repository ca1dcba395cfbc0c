import type { IntegrationProvider, TaskPriority } from "@grove/schemas";

/** Most urgent first. */
export const priorities = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
  none: "No priority",
} satisfies Record<TaskPriority, string>;

export const providers = {
  github: "GitHub",
  gitlab: "GitLab",
  linear: "Linear",
  jira: "Jira",
  slack: "Slack",
  discord: "Discord",
} satisfies Record<IntegrationProvider, string>;

export const isPriority = (value: string): value is TaskPriority => Object.hasOwn(priorities, value);

export const priorityOptions = Object.entries(priorities)
  .filter((entry): entry is [TaskPriority, string] => isPriority(entry[0]))
  .map(([value, title]) => ({ value, title }));
