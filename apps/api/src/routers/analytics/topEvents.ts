import { type AnalyticsEventCount, analyticsEventCount, analyticsTopEventsInput } from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { output } from "../../trpc/output";
import { analystProcedure } from "../../trpc/procedures";
import { inRange } from "./events";

/** The most frequent events, most frequent first. */
export const topEvents = analystProcedure(analyticsTopEventsInput)
  .output(output(z.array(analyticsEventCount)))
  .query(async ({ ctx, input }) => {
    const { rows } = await sql<AnalyticsEventCount>`
      select event, count(*)::int as count, count(distinct user_id)::int as users
      from analytics_events where ${inRange(input)}
      group by event order by count desc, event collate "C" limit ${input.limit}
    `.execute(ctx.services.database.slow);
    return rows;
  });
