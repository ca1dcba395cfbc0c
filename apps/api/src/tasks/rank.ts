import type { Database } from "@grove/db";
import { type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import { rankBetween, ranksBetween } from "./rankText";

/** The rank of a task, as the index `tasks_rank` has it. The rank of a task that was never moved is its id. */
export const rankOf = sql<string>`(coalesce(tasks.rank, replace(tasks.id::text, '-', '')) collate "C")`;

/** A rank grows when tasks are repeatedly put between the same two. */
const MAX_LENGTH = 100;

/** How many tasks on each side of a position get new ranks when a rank between its neighbours would be too long. */
const SPREAD = 50;

/** A place directly before or after the task with this rank. */
interface Beside {
  rank: string;
  side: "before" | "after";
}

/** Makes changes of an organization's order wait for one another, until the transaction ends. */
export async function lockOrder(trx: Transaction<Database>, organizationId: string): Promise<void> {
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", organizationId)
    .forNoKeyUpdate()
    .execute();
}

/**
 * A rank for a task: at a place, or before all others. Call it after {@link lockOrder}.
 * @returns the rank, and whether other tasks got new ones, in the same order, to make room for it
 */
export async function rankFor(
  trx: Transaction<Database>,
  task: { organizationId: string; id: string },
  beside: Beside | undefined,
): Promise<{ rank: string; isSpread: boolean }> {
  const rank = await freeRank(trx, task, beside);
  if (beside === undefined || rank.length <= MAX_LENGTH) return { rank, isSpread: false };
  const moved = await spread(trx, task.organizationId, beside.rank);
  return { rank: await freeRank(trx, task, { ...beside, rank: moved }), isSpread: true };
}

async function freeRank(
  trx: Transaction<Database>,
  { organizationId, id }: { organizationId: string; id: string },
  beside: Beside | undefined,
): Promise<string> {
  const others = sql<SqlBool>`tasks.id <> ${id}`;
  const read = (condition: RawBuilder<SqlBool>, direction: "asc" | "desc") =>
    nearest(trx, organizationId, sql`${condition} and ${others}`, direction, 1).then(
      ([found]) => found?.rank,
    );
  if (beside === undefined) return rankBetween(await read(sql`true`, "desc"), undefined);
  const { rank, side } = beside;
  return side === "before"
    ? rankBetween(rank, await read(sql`${rankOf} > ${rank}`, "asc"))
    : rankBetween(await read(sql`${rankOf} < ${rank}`, "desc"), rank);
}

/** Deleted tasks count, too: they may be restored. */
const nearest = (
  trx: Transaction<Database>,
  organizationId: string,
  condition: RawBuilder<SqlBool>,
  direction: "asc" | "desc",
  limit: number,
) =>
  trx
    .selectFrom("tasks")
    .select(["id", rankOf.as("rank")])
    .where("organization_id", "=", organizationId)
    .where(condition)
    .orderBy(rankOf, direction)
    .limit(limit)
    .execute();

/**
 * Gives the tasks around a rank short ranks again, in the same order.
 * @returns the new rank of the task that has the rank
 */
async function spread(trx: Transaction<Database>, organizationId: string, rank: string): Promise<string> {
  const below = await nearest(trx, organizationId, sql`${rankOf} <= ${rank}`, "desc", SPREAD + 1);
  const above = await nearest(trx, organizationId, sql`${rankOf} > ${rank}`, "asc", SPREAD + 1);
  const ids = [...below.slice(0, SPREAD).toReversed(), ...above.slice(0, SPREAD)].map(({ id }) => id);
  const ranks = ranksBetween(below[SPREAD]?.rank, above[SPREAD]?.rank, ids.length);
  const ofThese = sql`organization_id = ${organizationId} and tasks.id = any(${ids}::uuid[])`;
  // By id, as every statement that locks several tasks does, so that two never deadlock.
  await sql`select id from tasks where ${ofThese} order by id for update`.execute(trx);
  // Two tasks must not have the same rank in between.
  await sql`update tasks set rank = null where ${ofThese}`.execute(trx);
  await sql`
    update tasks set rank = fresh.rank
    from unnest(${ids}::uuid[], ${ranks}::text[]) as fresh (id, rank)
    where ${ofThese} and tasks.id = fresh.id
  `.execute(trx);
  return ranks[Math.min(below.length, SPREAD) - 1] ?? rank;
}
