import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { touchChange } from "../../changes/touch";
import { enqueueFailedChecks } from "../../notifications/enqueueFailedChecks";
import type { HeadKey } from "./rounds";

/** Leaves the failed checks of a commit to a person. Notifies people once for each commit. */
export async function holdBack(
  db: Kysely<Database>,
  { organizationId, changeId, head, reason }: HeadKey & { reason: HeldReason },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_new: boolean }>`
      with before as (
        select organization_id, id, held_head from pull_requests
        where organization_id = ${organizationId} and change_id = ${changeId}
          and checked_head = ${head} and checks = 'failed'
          and (held_head, held_reason) is distinct from (${head}, ${reason})
        for no key update)
      update pull_requests as pull set held_head = ${head}, held_reason = ${reason}
      from before where pull.organization_id = before.organization_id and pull.id = before.id
      returning before.held_head is distinct from ${head} as is_new`.execute(trx);
    if (rows.length === 0) return;
    await touchChange(trx, { organizationId, changeId });
    if (rows.some(({ is_new }) => is_new)) await enqueueFailedChecks(trx, { organizationId, changeId, head });
  });
}
