import type { Transaction } from "kysely";
import type { Database } from "./tables";

/** The statuses that every organization starts with, in order. */
const startingStatuses = [
  { key: "backlog", name: "Backlog", type: "backlog", color: "#8a8f98" },
  { key: "todo", name: "Todo", type: "unstarted", color: "#e2e2e2" },
  { key: "in_progress", name: "In progress", type: "started", color: "#f2c94c" },
  { key: "in_review", name: "In review", type: "started", color: "#4cb782" },
  { key: "done", name: "Done", type: "completed", color: "#5e6ad2" },
  { key: "canceled", name: "Canceled", type: "canceled", color: "#95a2b3" },
] as const;

/** Gives a new organization its task statuses, in the transaction that makes it. */
export async function insertTaskStatuses(trx: Transaction<Database>, organizationId: string): Promise<void> {
  await trx
    .insertInto("task_statuses")
    .values(
      startingStatuses.map((status, position) => ({ organization_id: organizationId, position, ...status })),
    )
    .execute();
}
