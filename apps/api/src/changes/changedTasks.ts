import type { Database } from "@grove/db";
import type { Task } from "@grove/schemas";
import { sql, type Transaction, type UpdateObject } from "kysely";
import { INTEGRATION, recordMerge, recordTaskChanges } from "../tasks/activity";
import { readTask } from "../tasks/row";
import { recordTaskEvent } from "../tasks/taskEvents";

/** A merge that did not complete its task. */
export interface PartialMerge {
  /** Null for a fork's branch. */
  from: string | null;
  to: string;
}

/** The tasks that a transaction changes on behalf of a code host, to be recorded at its end. */
export class ChangedTasks {
  readonly #trx: Transaction<Database>;
  readonly #organizationId: string;
  /** The task before the change; undefined if no recorded field changes. */
  readonly #before = new Map<string, Task | undefined>();
  readonly #merges = new Map<string, PartialMerge>();

  constructor(trx: Transaction<Database>, organizationId: string) {
    this.#trx = trx;
    this.#organizationId = organizationId;
  }

  /** Notifies the watchers of a task without changing a recorded field. */
  touch(id: string): void {
    if (!this.#before.has(id)) this.#before.set(id, undefined);
  }

  /** Changes fields of a task. The caller has locked it. */
  async change(id: string, fields: UpdateObject<Database, "tasks">): Promise<void> {
    if (this.#before.get(id) === undefined)
      this.#before.set(id, await readTask(this.#trx, this.#organizationId, id));
    await this.#trx
      .updateTable("tasks")
      .set({ ...fields, updated_at: sql<string>`now()` })
      .where("organization_id", "=", this.#organizationId)
      .where("id", "=", id)
      .execute();
  }

  addMerge(id: string, merge: PartialMerge): void {
    this.touch(id);
    this.#merges.set(id, merge);
  }

  /** Records the activity and the events. Call it last in the transaction. */
  async record(): Promise<void> {
    for (const [id, before] of this.#before) {
      const after = await readTask(this.#trx, this.#organizationId, id);
      const merge = this.#merges.get(id);
      if (before) await recordTaskChanges(this.#trx, { before, after, actor: INTEGRATION });
      if (merge) await recordMerge(this.#trx, after, merge);
      await recordTaskEvent(this.#trx, this.#organizationId, { type: "updated", task: after });
    }
  }
}
