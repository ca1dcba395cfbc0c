import type { DefaultNow, Json, Timestamp } from "./columns";

export interface AnalyticsEventTable {
  id: string;
  /** Null for an event of no organization. */
  organization_id: string | null;
  user_id: string | null;
  event: string;
  properties: Json<Record<string, unknown>>;
  occurred_at: DefaultNow;
  received_at: DefaultNow;
}

/** The number of events that are no longer kept, in a day, a week or a month of UTC. */
export interface AnalyticsRollupTable {
  organization_id: string | null;
  span: "day" | "week" | "month";
  start: string;
  /** Null for all events together. */
  event: string | null;
  /** The end of the part of `analytics_events` that they were in. */
  received_before: Timestamp;
  count: number;
  /** How many different users; of an event that came later than others of its span, at least so many. */
  users: number;
}

/** The parts of `analytics_events` that were added up and dropped: only their sums count. */
export interface AnalyticsRolledUpTable {
  received_before: Timestamp;
}

/** The users of an organization's events while these are added up. It is empty at all other times. */
export interface AnalyticsSeenTable {
  organization_id: string | null;
  /** Empty for any of the events. */
  event: string;
  user_id: string;
  day: string;
}
