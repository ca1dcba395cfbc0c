import type { Database } from "@grove/db";
import { type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import { rankBetween, ranksBetween } from "./rankText";

/** The rank of a task, by the expression of the index `tasks_rank`. A task that was never moved has its id as rank. */
export const rankOf = sql<string>`(coalesce(tasks.rank, replace(tasks.id::text, '-', '')) collate "C")`;

/** Ranks get longer when tasks are repeatedly moved between the same two neighbours. */
const MAX_LENGTH = 100;

/** How many tasks on each side of a position get new ranks when a rank between its neighbours would be too long. */
const SPREAD = 50;

/** A position directly before or after the task with this rank. */
interface RankNeighbour {
  rank: string;
  side: "before" | "after";
}

/** Serializes changes of an organization's order until the transaction ends. */
export async function lockOrder(trx: Transaction<Database>, organizationId: string): Promise<void> {
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", organizationId)
    .forNoKeyUpdate()
    .execute();
}

/**
 * Returns a rank for a task at a position, or before all others. Call this after {@link lockOrder}.
 * @returns the rank, and whether neighbouring tasks got new ranks, in the same order
 */
export async function rankFor(
  trx: Transaction<Database>,
  task: { organizationId: string; id: string },
  neighbour: RankNeighbour | undefined,
): Promise<{ rank: string; isSpread: boolean }> {
  const rank = await freeRank(trx, task, neighbour);
  if (neighbour === undefined || rank.length <= MAX_LENGTH) return { rank, isSpread: false };
  const moved = await spread(trx, task.organizationId, neighbour.rank);
  return { rank: await freeRank(trx, task, { ...neighbour, rank: moved }), isSpread: true };
}

async function freeRank(
  trx: Transaction<Database>,
  { organizationId, id }: { organizationId: string; id: string },
  neighbour: RankNeighbour | undefined,
): Promise<string> {
  const others = sql<SqlBool>`tasks.id <> ${id}`;
  const read = (condition: RawBuilder<SqlBool>, direction: "asc" | "desc") =>
    nearest(trx, organizationId, sql`${condition} and ${others}`, direction, 1).then(
      ([found]) => found?.rank,
    );
  if (neighbour === undefined) return rankBetween(await read(sql`true`, "desc"), undefined);
  const { rank, side } = neighbour;
  return side === "before"
    ? rankBetween(rank, await read(sql`${rankOf} > ${rank}`, "asc"))
    : rankBetween(await read(sql`${rankOf} < ${rank}`, "desc"), rank);
}

/** Returns the nearest tasks. Includes deleted tasks, since they may be restored. */
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
 * Gives the tasks around a rank new, short ranks, in the same order.
 * @returns the new rank of the task that had this rank
 */
async function spread(trx: Transaction<Database>, organizationId: string, rank: string): Promise<string> {
  const below = await nearest(trx, organizationId, sql`${rankOf} <= ${rank}`, "desc", SPREAD + 1);
  const above = await nearest(trx, organizationId, sql`${rankOf} > ${rank}`, "asc", SPREAD + 1);
  const ids = [...below.slice(0, SPREAD).toReversed(), ...above.slice(0, SPREAD)].map(({ id }) => id);
  const ranks = ranksBetween(below[SPREAD]?.rank, above[SPREAD]?.rank, ids.length);
  const ofThese = sql`organization_id = ${organizationId} and tasks.id = any(${ids}::uuid[])`;
  // By id, as every statement that locks several tasks does, so that two never deadlock.
  await sql`select id from tasks where ${ofThese} order by id for update`.execute(trx);
  // While the ranks are assigned one by one, two tasks must not have the same rank.
  await sql`update tasks set rank = null where ${ofThese}`.execute(trx);
  await sql`
    update tasks set rank = fresh.rank
    from unnest(${ids}::uuid[], ${ranks}::text[]) as fresh (id, rank)
    where ${ofThese} and tasks.id = fresh.id
  `.execute(trx);
  return ranks[Math.min(below.length, SPREAD) - 1] ?? rank;
}
