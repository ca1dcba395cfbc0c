import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Change } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Requester } from "../lib/idempotency";
import { requireOwnChange } from "./requireOwnChange";
import { requireWorkspaceDevice, type WorkspaceKey } from "./requireWorkspaceDevice";
import { selectChanges, toChange } from "./row";
import { runGateOnFinish } from "./runGateOnFinish";

interface Finish extends WorkspaceKey {
  summary: string;
  tests: string[];
}

/**
 * Records that an agent has finished its work in a workspace. Runs the gate if the project is configured so. A later
 * turn or a review round clears the record.
 * @throws {GroveError} what {@link requireWorkspaceDevice} and {@link requireOwnChange} throw; NOT_FOUND without a
 * change
 */
export async function finishChange(
  db: Kysely<Database>,
  principal: Requester,
  { organizationId, workspaceId, summary, tests }: Finish,
): Promise<Change> {
  await requireWorkspaceDevice(db, principal, { organizationId, workspaceId });
  await requireOwnChange(db, principal, { organizationId, workspaceId });
  return db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable("changes")
      .set({
        finished_at: sql<string>`now()`,
        summary,
        tests,
        gate_skipped: null,
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", organizationId)
      .where("workspace_id", "=", workspaceId)
      .returning("id")
      .executeTakeFirst();
    if (!finished) throw noOwnBranch(workspaceId);
    await runGateOnFinish(trx, principal, { organizationId, changeId: finished.id });
    const row = await selectChanges(trx, organizationId)
      .where("changes.id", "=", finished.id)
      .executeTakeFirstOrThrow();
    return toChange(row);
  });
}

/** Returns the error for a workspace without a change. */
export const noOwnBranch = (workspaceId: string) =>
  new GroveError(
    "NOT_FOUND",
    `The workspace ${workspaceId} has no branch of its own, so it has no review. Work in a workspace that has one.`,
    { details: { missing: "change" } },
  );

/** Records that the work on a change continues. */
export async function continueWork(
  trx: Transaction<Database>,
  { organizationId, changeId }: { organizationId: string; changeId: string },
): Promise<void> {
  await trx
    .updateTable("changes")
    .set({ finished_at: null, summary: null, tests: [], updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId)
    .where("finished_at", "is not", null)
    .execute();
}
