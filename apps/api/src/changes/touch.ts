import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "./row";

/**
 * Reports a change to the watchers of its organization. Skips a locked row: another transaction is updating it, and
 * waiting could deadlock.
 */
export const touchChange = (db: Kysely<Database>, { organizationId, changeId }: ChangeKey) =>
  sql`
    update changes set updated_at = now()
    where organization_id = ${organizationId} and id = (
      select id from changes where organization_id = ${organizationId} and id = ${changeId}
      for no key update skip locked)`.execute(db);
