import type { UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import {
  type AnalyticsTrackInput,
  analyticsBatchTracked,
  analyticsTrackBatchInput,
  analyticsTracked,
  analyticsTrackInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import type { Services } from "../../services";
import { output } from "../../trpc/output";
import { protectedProcedure } from "../../trpc/procedures";

export const trackProcedures = {
  /**
   * Records an event of the caller, in an organization if one is named; an API key's events are always in its own. No
   * procedure returns the `properties`: they are kept for direct queries of the database. PRECONDITION_FAILED
   * `quota_exceeded`.
   */
  track: protectedProcedure(analyticsTrackInput, ({ organizationId }) => [organizationId])
    .output(output(analyticsTracked))
    .mutation(async ({ ctx, input }) => {
      const event = eventOf(ctx.principal, input);
      await takeRoom(ctx.services, ctx.principal, [event]);
      const row = await ctx.services.database.db
        .insertInto("analytics_events")
        .values(event)
        .returning(["id", "received_at"])
        .executeTakeFirstOrThrow();
      return { id: row.id, receivedAt: row.received_at };
    }),

  /**
   * Records up to 100 events as analytics.track does: all of them or none. Events with the same timestamp keep the
   * order given.
   */
  trackBatch: protectedProcedure(analyticsTrackBatchInput, ({ events }) =>
    events.map(({ organizationId }) => organizationId),
  )
    .output(output(analyticsBatchTracked))
    .mutation(async ({ ctx, input }) => {
      const events = input.events.map((event) => eventOf(ctx.principal, event));
      await takeRoom(ctx.services, ctx.principal, events);
      await ctx.services.database.db.insertInto("analytics_events").values(events).execute();
      return { accepted: input.events.length };
    }),
} satisfies TRPCRouterRecord;

/** @throws {GroveError} PRECONDITION_FAILED `quota_exceeded` */
async function takeRoom(
  { database, quotas }: Services,
  { user }: UserPrincipal,
  events: { organization_id: string | null; properties: string }[],
): Promise<void> {
  const organizations = events.map((event) => event.organization_id);
  for (const organizationId of new Set(organizations)) {
    const its = events.filter((event) => event.organization_id === organizationId);
    const bytes = its.reduce((sum, { properties }) => sum + Buffer.byteLength(properties), 0);
    const [stored, storedBytes, owner] =
      organizationId === null
        ? (["ownAnalyticsEvents", "ownAnalyticsBytes", user.id] as const)
        : (["analyticsEvents", "analyticsBytes", organizationId] as const);
    await quotas.take(database.db, stored, owner, its.length);
    await quotas.take(database.db, storedBytes, owner, bytes);
  }
}

function eventOf(principal: UserPrincipal, tracked: AnalyticsTrackInput) {
  const own = principal.kind === "api_key" ? principal.organizationId : null;
  const organizationId = tracked.organizationId ?? own;
  return {
    id: newId(),
    organization_id: organizationId,
    user_id: principal.user.id,
    event: tracked.event,
    properties: JSON.stringify(tracked.properties),
    ...(tracked.timestamp !== undefined && { occurred_at: new Date(tracked.timestamp) }),
  };
}
