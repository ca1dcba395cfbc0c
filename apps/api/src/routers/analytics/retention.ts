import { type AnalyticsCohort, analyticsCohort, analyticsRetentionInput } from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { output } from "../../trpc/output";
import { analystProcedure } from "../../trpc/procedures";
import { askIn, buckets, inRange, startOf } from "./events";

/**
 * Groups users by the interval of their first `event` in the range. For each group it counts those who came back
 * (`returnEvent`, from that first event on) in the same interval and in each later one.
 */
export const retention = analystProcedure(analyticsRetentionInput)
  .output(output(z.array(analyticsCohort)))
  .query(({ ctx, input }) =>
    askIn(
      input.timeZone,
      ctx.services.database.slow,
      sql<AnalyticsCohort>`
        with ${buckets(input)},
        begun as (
          select user_id, min(occurred_at) as at from analytics_events
          where ${inRange(input)} and event = ${input.event} and user_id is not null group by user_id),
        cohorts as (select user_id, at, ${startOf(input, sql`at`)} as start from begun),
        returned as (
          select distinct user_id, start, ${startOf(input, sql`occurred_at`)} as period
          from cohorts join analytics_events using (user_id)
          where ${inRange(input)} and event = ${input.returnEvent ?? input.event} and occurred_at >= at),
        sizes as (select start, count(*)::int as users from cohorts group by start),
        counted as (select start, period, count(*)::int as users from returned group by start, period)
        select to_char(buckets.start, 'YYYY-MM-DD') as start, coalesce(sizes.users, 0) as users,
          array(
            select coalesce(counted.users, 0) from buckets as periods
              left join counted on counted.start = buckets.start and counted.period = periods.start
            where periods.start >= buckets.start order by periods.start) as retained
        from buckets left join sizes on sizes.start = buckets.start order by buckets.start
      `,
    ),
  );
