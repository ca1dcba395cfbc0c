import type { UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import {
  analyticsBatchTracked,
  analyticsTrackBatchInput,
  analyticsTracked,
  analyticsTrackInput,
} from "@grove/schemas";
import type * as z from "zod";
import { output } from "../../outputs";
import { protectedProcedure } from "../../trpc";

/** Records an event of the caller's; in an organization when one is named, which an API key's own is without saying. */
export const track = protectedProcedure(analyticsTrackInput, ({ organizationId }) => [organizationId])
  .output(output(analyticsTracked))
  .mutation(async ({ ctx, input }) => {
    const row = await ctx.services.database.db
      .insertInto("analytics_events")
      .values(eventOf(ctx.principal, input))
      .returning(["id", "received_at"])
      .executeTakeFirstOrThrow();
    return { id: row.id, receivedAt: row.received_at };
  });

/** Records up to 100 events: all of them or none. Of one time, they happened in the order given. */
export const trackBatch = protectedProcedure(analyticsTrackBatchInput, ({ events }) =>
  events.map(({ organizationId }) => organizationId),
)
  .output(output(analyticsBatchTracked))
  .mutation(async ({ ctx, input }) => {
    await ctx.services.database.db
      .insertInto("analytics_events")
      .values(input.events.map((event) => eventOf(ctx.principal, event)))
      .execute();
    return { accepted: input.events.length };
  });

function eventOf(principal: UserPrincipal, tracked: z.infer<typeof analyticsTrackInput>) {
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
