import type { Task, TaskListInput } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { databaseFor, matching } from "./filter";
import { rankOf } from "./rank";
import { selectTasks, toTask } from "./row";

/** Reads a page of the tasks that pass a filter, newest first or by rank. */
export async function listTasks(services: Pick<Services, "database">, input: TaskListInput): Promise<Task[]> {
  const db = databaseFor(services, input);
  const condition = await matching(db, services.database.engine, input);
  if (!condition) return [];
  const query = selectTasks(db, input.organizationId).where(condition);
  const order = input.order === "rank" ? [{ column: rankOf, name: "rank" }] : undefined;
  return (await newestFirst(db, "tasks", query, input, order)).map(toTask);
}
