import type { Task } from "@grove/schemas";

/** The first text for the agent that gets a task. A person reads it, and may change it, before it is sent. */
export const promptOf = ({ title, description }: Pick<Task, "title" | "description">): string =>
  [title, description?.trim() ?? ""].filter((part) => part !== "").join("\n\n");
