import { statements } from "./statements";

/** Events that `analytics.track` records. */
export const up = statements([
  // An event without an organization is the site's, and only the site's admins read it.
  `create table analytics_events (
    id uuid primary key,
    organization_id uuid references organizations (id) on delete cascade,
    user_id uuid references users (id) on delete set null,
    event text not null,
    properties jsonb not null check (jsonb_typeof(properties) = 'object'),
    occurred_at timestamptz not null default now(),
    received_at timestamptz not null default now()
  )`,
  // `topEvents`, and `trend` of all events, read this index and not the table.
  `create index analytics_events_time on analytics_events (organization_id, occurred_at)
    include (event, user_id)`,
  // `trend` of chosen events reads this one.
  `create index analytics_events_event on analytics_events (organization_id, event, occurred_at)
    include (user_id)`,
  // `funnel` and `retention` read each user's events of one name, in their order.
  `create index analytics_events_user
    on analytics_events (organization_id, event, user_id, occurred_at, id)`,
  "create index analytics_events_user_id on analytics_events (user_id)",
  // The limit on a user's events without an organization is counted from this index.
  "create index analytics_events_own on analytics_events (user_id) where organization_id is null",
]);
