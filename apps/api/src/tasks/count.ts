import type { Database } from "@grove/db";
import type { TaskCountInput } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { Services } from "../services";
import { databaseFor, matching } from "./filter";
import type { Condition } from "./textSearch";

/** Counts the tasks that pass a filter, up to `atMost`. */
export async function countTasks(
  services: Pick<Services, "database">,
  input: TaskCountInput,
): Promise<{ total: number }> {
  const db = databaseFor(services, input);
  const condition = await matching(db, services.database.engine, input);
  if (!condition) return { total: 0 };
  const { total } = await db
    .selectFrom(counted(db, input, condition))
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .executeTakeFirstOrThrow();
  return { total: Number(total) };
}

/** Counts the tasks that pass a filter, up to `atMost`, for each status that has such tasks. */
export async function countTasksByStatus(
  services: Pick<Services, "database">,
  input: TaskCountInput,
): Promise<{ status: string; total: number }[]> {
  const db = databaseFor(services, input);
  const condition = await matching(db, services.database.engine, input);
  if (!condition) return [];
  const rows = await db
    .selectFrom(counted(db, input, condition))
    .select((eb) => ["status", eb.fn.countAll<string>().as("total")])
    .groupBy("status")
    .execute();
  return rows.map(({ status, total }) => ({ status, total: Number(total) }));
}

/** The tasks that are counted. */
function counted(db: Kysely<Database>, { organizationId, atMost }: TaskCountInput, condition: Condition) {
  const tasks = db
    .selectFrom("tasks")
    .select("status")
    .where("organization_id", "=", organizationId)
    .where(condition);
  return (atMost === undefined ? tasks : tasks.limit(atMost)).as("counted");
}
