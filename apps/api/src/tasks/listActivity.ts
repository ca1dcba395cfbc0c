import type { TaskActivity, TaskListActivityInput } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { toActivity } from "./activity";
import { readTask } from "./row";

/**
 * Reads a page of a task's comments and changes, newest first.
 * @throws {GroveError} NOT_FOUND
 */
export async function listActivity(
  { database }: Pick<Services, "database">,
  input: TaskListActivityInput,
): Promise<TaskActivity[]> {
  const { db } = database;
  const { organizationId } = input;
  const task = await readTask(db, organizationId, input.id);
  const query = db
    .selectFrom("task_activity")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("task_id", "=", task.id);
  return (await newestFirst(db, "task_activity", query, input)).map(toActivity);
}
