import { type Database, dropPartition, type Partition, partitionsOf } from "@grove/db";
import { openStatuses } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { skipIfLocked } from "./skipIfLocked";

/**
 * Drops the weekly partitions whose commands are all past retention.
 * @param now the database's time
 */
export async function dropCommands(db: Kysely<Database>, now: Date): Promise<void> {
  for (const part of await partitionsOf(db, "device_commands"))
    if (part.to.getTime() < now.getTime() && !(await isNeeded(db, part, now)))
      if (!(await skipIfLocked(db, (trx) => dropPartition(trx, part)))) return;
}

/** Whether a partition has a command that is open or within retention. */
async function isNeeded(db: Kysely<Database>, { name, to }: Partition, now: Date): Promise<boolean> {
  const ofPart = sql`select from ${sql.table(name)}`;
  const since = sql`(${now}::timestamptz - ${lifetimes.command})`;
  const { rows } = await sql<{ needed: boolean }>`select ${to}::timestamptz > ${since}
    or exists (${ofPart} where status in (${sql.join(openStatuses.map((status) => sql.lit(status)))}))
    or exists (${ofPart} where finished_at > ${since}) as needed`.execute(db);
  return rows[0]?.needed ?? true;
}
