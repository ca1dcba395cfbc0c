import type { Task } from "@grove/schemas";

/** Returns the suggested prompt for a task. The user can edit it before it is sent. */
export const defaultPrompt = ({ title, description }: Pick<Task, "title" | "description">): string =>
  [title, description?.trim() ?? ""].filter((part) => part !== "").join("\n\n");
