import { type Database, type IntegrationEventTable, notification } from "@grove/db";
import type { DeliveredChange } from "@grove/integrations";
import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { repositoryOf } from "../../integrations/repositories";
import type { ChangedTasks } from "../changedTasks";

/**
 * Makes open pull requests of a repository due, and wakes the loop that reads them from the code host. The read
 * includes their checks, even if nothing has changed for a long time.
 * @param which a condition for the rows of `pull_requests`
 */
export async function schedulePoll(
  trx: Transaction<Database>,
  { organizationId, repositoryId }: { organizationId: string; repositoryId: string | null },
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update pull_requests set poll_at = now(), checks_reported_at = now()
    where organization_id = ${organizationId} and repository_id = ${repositoryId}
      and state in ('open', 'draft') and change_id is not null and ${which}
    returning ${notification("pull_due", sql`organization_id::text`)} as announced`.execute(trx);
}

/** Applies a delivery about checks or reviews: makes the pull requests of its commit due. */
export async function applyChecksDelivery(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  event: Selectable<IntegrationEventTable>,
  { repo, head }: Extract<DeliveredChange, { kind: "checks_changed" }>,
): Promise<void> {
  const known = await repositoryOf(trx, event, repo);
  if (!known) return;
  for (const id of known.movedTasks) changed.touch(id);
  // A pull request without a stored commit has not been read yet. A new commit has a delivery of its own.
  await schedulePoll(
    trx,
    { organizationId: event.organization_id, repositoryId: known.id },
    sql`(checked_head = ${head} or checked_head is null)`,
  );
}
