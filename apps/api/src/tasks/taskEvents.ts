import type { Database } from "@grove/db";
import type { TaskChange } from "@grove/schemas";
import type { Transaction } from "kysely";
import { recordEvent } from "../events/record";

/** The topic of an organization's task events. */
export const taskTopic = (organizationId: string) => ({ organizationId, topic: "task" });

/** Records an event of a task. Call it last in the transaction. */
export const recordTaskEvent = (trx: Transaction<Database>, organizationId: string, event: TaskChange) =>
  recordEvent(trx, taskTopic(organizationId), event);
