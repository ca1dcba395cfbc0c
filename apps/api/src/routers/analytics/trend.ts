import { type AnalyticsSeries, analyticsSeries, analyticsTrendInput } from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { output } from "../../trpc/output";
import { analystProcedure } from "../../trpc/procedures";
import { askIn, buckets, inRange, startOf } from "./events";

/** How often events happened, and to how many users, in each interval of the range; one series per event. */
export const trend = analystProcedure(analyticsTrendInput)
  .output(output(z.array(analyticsSeries)))
  .query(({ ctx, input }) => {
    const { events } = input;
    const wanted = events ? sql`event = any(${events}::text[])` : sql`true`;
    return askIn(
      input.timeZone,
      ctx.services.database.slow,
      sql<AnalyticsSeries>`
        with ${buckets(input)},
        series as (select event, place from unnest(${events ?? [null]}::text[]) with ordinality as named (event, place)),
        dated as (
          select ${events ? sql`event` : sql`null::text as event`}, user_id,
            ${startOf(input, sql`occurred_at`)} as start
          from analytics_events where ${inRange(input)} and ${wanted}),
        counted as (
          select event, start, count(*)::int as count, count(distinct user_id)::int as users
          from dated group by event, start)
        select series.event, jsonb_agg(jsonb_build_object(
            'start', buckets.start::date,
            'count', coalesce(counted.count, 0),
            'users', coalesce(counted.users, 0)) order by buckets.start) as points
        from series cross join buckets
          left join counted on counted.event is not distinct from series.event and counted.start = buckets.start
        group by series.event, series.place order by series.place
      `,
    );
  });
