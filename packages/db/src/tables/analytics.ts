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

/** Counts of expired events by day, week and month in UTC. */
export interface AnalyticsRollupTable {
  organization_id: string | null;
  span: "day" | "week" | "month";
  start: string;
  /** Null for all events together. */
  event: string | null;
  /** The end of the partition of `analytics_events` that had them. */
  received_before: Timestamp;
  count: number;
  /** The number of distinct users; a lower bound if events of this span came late. */
  users: number;
}

/** The partitions of `analytics_events` that were aggregated and dropped: only their aggregates are used. */
export interface AnalyticsRolledUpTable {
  received_before: Timestamp;
}

/** The users of an organization's events during aggregation; empty otherwise. */
export interface AnalyticsSeenTable {
  organization_id: string | null;
  /** Empty for any of the events. */
  event: string;
  user_id: string;
  day: string;
}
