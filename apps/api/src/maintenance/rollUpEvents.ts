import { type Database, dropPartition, type Partition, partitionsOf } from "@grove/db";
import { DAY_MS } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { type Step, stepsIn } from "./hourlyWork";
import { rollUpOrganization } from "./rollUpOrganization";
import { skipIfLocked } from "./skipIfLocked";

/** `analytics_seen` is truncated between two organizations if it is larger than this. */
const MAX_NOTES_BYTES = 8 * 1024 * 1024;

/**
 * Aggregates the analytics events of each expired month, and then drops its partition. The aggregates are used only
 * after the drop, so an interrupted run begins that month again.
 * @param now the database's time
 */
export async function rollUpEvents(
  db: Kysely<Database>,
  days: number,
  now: Date,
  step: Step = stepsIn(db),
): Promise<void> {
  const partitions = await partitionsOf(db, "analytics_events");
  for (const [index, partition] of partitions.entries()) {
    if (partition.to.getTime() > now.getTime() - days * DAY_MS) break;
    for (let last: string | null = null; ; ) {
      const organization: string | null = await nextOrganization(db, partition, last);
      const next = partitions[index + 1]?.name;
      if (!(await rollUpOrganization(step, { ...partition, next, organization }))) return;
      await forgetUsers(db, MAX_NOTES_BYTES);
      if (organization === null) break;
      last = organization;
    }
    const isDropped = await skipIfLocked(db, async (trx) => {
      await sql`insert into analytics_rolled_up (received_before) values (${partition.to}::timestamptz)
        on conflict do nothing`.execute(trx);
      await dropPartition(trx, partition);
    });
    if (!isDropped) return;
    await forgetUsers(db);
  }
}

/** Truncates `analytics_seen` if it takes more than `maxBytes`. */
async function forgetUsers(db: Kysely<Database>, maxBytes = 0): Promise<void> {
  const { rows } = await sql<{ many: boolean }>`
    select pg_relation_size('analytics_seen') > ${maxBytes} as many`.execute(db);
  if (rows[0]?.many)
    await skipIfLocked(db, async (trx) => {
      await sql`truncate analytics_seen`.execute(trx);
    });
}

/** The next organization that has events in a partition. Null comes last, for events without an organization. */
async function nextOrganization(
  db: Kysely<Database>,
  { name }: Partition,
  last: string | null,
): Promise<string | null> {
  const after = last === null ? sql`organization_id is not null` : sql`organization_id > ${last}`;
  const { rows } = await sql<{ organization_id: string }>`select organization_id from ${sql.table(name)}
    where ${after} order by organization_id limit 1`.execute(db);
  return rows[0]?.organization_id ?? null;
}
