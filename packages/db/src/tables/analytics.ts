import type { DefaultNow, Json } from "./columns";

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
