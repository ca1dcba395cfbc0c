import { type AnalyticsFunnelStep, analyticsFunnelInput, analyticsFunnelStep } from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { output } from "../../trpc/output";
import { analystProcedure } from "../../trpc/procedures";
import { inRange } from "./events";

/**
 * Counts the users who did the first step, those of them who then did the second, and so on. Other events in between do
 * not matter. Events with the same timestamp are ordered by receipt.
 */
export const funnel = analystProcedure(analyticsFunnelInput)
  .output(output(z.array(analyticsFunnelStep)))
  .query(async ({ ctx, input }) => {
    // Each user's earliest event after the step before: if any such event leads further, the earliest does.
    const steps = input.events.map(
      (event, at) => sql`${step(at)} (user_id, last_at, last_id) as (
        select distinct on (user_id) user_id, occurred_at, id
        from analytics_events ${at === 0 ? sql`` : sql`join ${step(at - 1)} using (user_id)`}
        where ${inRange(input)} and event = ${event} and user_id is not null
          ${at === 0 ? sql`` : sql`and (occurred_at, id) > (last_at, last_id)`}
        order by user_id, occurred_at, id)`,
    );
    const counts = input.events.map(
      (event, at) =>
        sql`select ${at}::int as at, ${event}::text as event, count(*)::int as users from ${step(at)}`,
    );
    const { rows } = await sql<AnalyticsFunnelStep>`
      with ${sql.join(steps)}, counted as (${sql.join(counts, sql` union all `)})
      select event, users, coalesce(users::float8 / nullif(first_value(users) over (order by at), 0), 0) as conversion
      from counted order by at
    `.execute(ctx.services.database.slow);
    return rows;
  });

const step = (at: number) => sql.ref(`step${at}`);
