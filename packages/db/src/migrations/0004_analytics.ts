import { type Kysely, sql } from "kysely";

/** What analytics.track records. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Events need not belong to an organization: those are the site's, and read by its admins only.
  `create table analytics_events (
    id uuid primary key,
    organization_id uuid references organizations (id) on delete cascade,
    user_id uuid references users (id) on delete set null,
    event text not null,
    properties jsonb not null check (jsonb_typeof(properties) = 'object'),
    occurred_at timestamptz not null default now(),
    received_at timestamptz not null default now()
  )`,
  // trend of all events, and topEvents, from the index alone.
  `create index analytics_events_time on analytics_events (organization_id, occurred_at)
    include (event, user_id)`,
  // trend of some events.
  `create index analytics_events_event on analytics_events (organization_id, event, occurred_at)
    include (user_id)`,
  // funnel and retention: each user's events of one name, in order.
  `create index analytics_events_user
    on analytics_events (organization_id, event, user_id, occurred_at, id)`,
  "create index analytics_events_user_id on analytics_events (user_id)",
];
