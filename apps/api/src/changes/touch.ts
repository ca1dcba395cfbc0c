import { type Database, notification } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "./row";

/**
 * Reports a change to the watchers of its organization, on every process. Skips a locked row: another transaction is
 * updating it, and waiting could deadlock.
 */
export const touchChange = (db: Kysely<Database>, { organizationId, changeId }: ChangeKey) =>
  sql`
    with touched as (
      update changes set updated_at = now()
      where organization_id = ${organizationId} and id = (
        select id from changes where organization_id = ${organizationId} and id = ${changeId}
        for no key update skip locked))
    select ${notification("attention", organizationId)} as announced`.execute(db);
