import type { TaskStatusType } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";

/**
 * The timestamps that change with a status: `startedAt` when work first starts, `completedAt` while the task is
 * completed.
 */
export const statusTimestamps = (
  type: TaskStatusType,
): { started_at: RawBuilder<string>; completed_at: RawBuilder<string> } => ({
  started_at: type === "started" ? sql`coalesce(tasks.started_at, now())` : sql`tasks.started_at`,
  completed_at: type === "completed" ? sql`coalesce(tasks.completed_at, now())` : sql`null`,
});
