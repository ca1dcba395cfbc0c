import {
  analyticsBatchTracked,
  analyticsTrackBatchInput,
  analyticsTracked,
  analyticsTrackInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { protectedProcedure } from "../../trpc/procedures";
import { trackEvent, trackEvents } from "../track";

export const trackProcedures = {
  /**
   * Records an event of the caller, in an organization if one is named; an API key's events are always in its own. No
   * procedure returns the `properties`: they are kept for direct queries of the database. PRECONDITION_FAILED
   * `quota_exceeded`.
   */
  track: protectedProcedure(analyticsTrackInput, ({ organizationId }) => [organizationId])
    .output(output(analyticsTracked))
    .mutation(({ ctx, input }) => trackEvent(ctx.services, ctx.principal, input)),

  /**
   * Records up to 100 events as analytics.track does: all of them or none. Events with the same timestamp keep the
   * order given.
   */
  trackBatch: protectedProcedure(analyticsTrackBatchInput, ({ events }) =>
    events.map(({ organizationId }) => organizationId),
  )
    .output(output(analyticsBatchTracked))
    .mutation(({ ctx, input }) => trackEvents(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
