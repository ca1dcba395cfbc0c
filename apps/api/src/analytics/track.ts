import type { UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import type { AnalyticsTrackBatchInput, AnalyticsTrackInput } from "@grove/schemas";
import type { Services } from "../services";

/**
 * Records one event.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export async function trackEvent(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: AnalyticsTrackInput,
) {
  const event = eventOf(principal, input);
  await reserveQuota({ database, quotas }, principal, [event]);
  const row = await database.db
    .insertInto("analytics_events")
    .values(event)
    .returning(["id", "received_at"])
    .executeTakeFirstOrThrow();
  return { id: row.id, receivedAt: row.received_at };
}

/**
 * Records all events or none.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export async function trackEvents(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: AnalyticsTrackBatchInput,
) {
  const events = input.events.map((event) => eventOf(principal, event));
  await reserveQuota({ database, quotas }, principal, events);
  await database.db.insertInto("analytics_events").values(events).execute();
  return { accepted: input.events.length };
}

/** @throws {GroveError} PRECONDITION_FAILED `quota_exceeded` */
async function reserveQuota(
  { database, quotas }: Pick<Services, "database" | "quotas">,
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
  const organizationOfKey = principal.kind === "api_key" ? principal.organizationId : null;
  const organizationId = tracked.organizationId ?? organizationOfKey;
  return {
    id: newId(),
    organization_id: organizationId,
    user_id: principal.user.id,
    event: tracked.event,
    properties: JSON.stringify(tracked.properties),
    ...(tracked.timestamp !== undefined && { occurred_at: new Date(tracked.timestamp) }),
  };
}
