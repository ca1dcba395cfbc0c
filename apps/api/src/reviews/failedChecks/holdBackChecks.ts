import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { touchChange } from "../../changes/touch";
import { enqueueFailedChecks } from "../../notifications/enqueueFailedChecks";
import type { HeadKey } from "./failedHead";

/** Holds the failed checks of a commit back from agents, for a person to fix. Notifies people once for each commit. */
export async function holdBackChecks(
  db: Kysely<Database>,
  { organizationId, changeId, head, reason }: HeadKey & { reason: HeldReason },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_new: boolean }>`
      with before as (
        select organization_id, id, held_checks_head from pull_requests
        where organization_id = ${organizationId} and change_id = ${changeId}
          and checked_head = ${head} and checks = 'failed'
          and (held_checks_head, held_checks_reason) is distinct from (${head}, ${reason})
        for no key update)
      update pull_requests as pull set held_checks_head = ${head}, held_checks_reason = ${reason}
      from before where pull.organization_id = before.organization_id and pull.id = before.id
      returning before.held_checks_head is distinct from ${head} as is_new`.execute(trx);
    if (rows.length === 0) return;
    await touchChange(trx, { organizationId, changeId });
    if (rows.some(({ is_new }) => is_new)) await enqueueFailedChecks(trx, { organizationId, changeId, head });
  });
}
