import {
  analyticsCohort,
  analyticsEventCount,
  analyticsFunnelInput,
  analyticsFunnelStep,
  analyticsRetentionInput,
  analyticsSeries,
  analyticsTopEventsInput,
  analyticsTrendInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { analystProcedure } from "../../trpc/procedures";
import { readFunnel, readRetention, readTopEvents, readTrend } from "../reports";

export const reportProcedures = {
  /** How often events happened, and to how many users, in each interval of the range; one series per event. */
  trend: analystProcedure(analyticsTrendInput)
    .output(output(z.array(analyticsSeries)))
    .query(({ ctx, input }) => readTrend(ctx.services, input)),

  /** The most frequent events, most frequent first. */
  topEvents: analystProcedure(analyticsTopEventsInput)
    .output(output(z.array(analyticsEventCount)))
    .query(({ ctx, input }) => readTopEvents(ctx.services, input)),

  /**
   * Counts the users who did the first step, then how many of these did the second step, and so on. Other events in
   * between do not matter. Events with the same timestamp are ordered by receipt. BAD_REQUEST `range_too_old` if single
   * events of the range are no longer kept.
   */
  funnel: analystProcedure(analyticsFunnelInput)
    .output(output(z.array(analyticsFunnelStep)))
    .query(({ ctx, input }) => readFunnel(ctx.services, input)),

  /**
   * Groups users by the interval of their first `event` in the range. For each group it counts the users who came back
   * (`returnEvent`, from that first event on) in the same interval and in each later one. BAD_REQUEST `range_too_old`
   * if single events of the range are no longer kept.
   */
  retention: analystProcedure(analyticsRetentionInput)
    .output(output(z.array(analyticsCohort)))
    .query(({ ctx, input }) => readRetention(ctx.services, input)),
} satisfies TRPCRouterRecord;
