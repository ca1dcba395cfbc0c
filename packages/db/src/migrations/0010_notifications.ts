import { statements } from "./statements";

/** Rules on who is notified of agents, and the notifications that are sent. */
export const up = statements([
  // The key pair by which push services recognize this service (VAPID, RFC 8292). One row: browsers subscribe to this
  // public key.
  `create table push_keys (
    id boolean primary key default true check (id),
    public_key text not null,
    sealed text not null,
    created_at timestamptz not null default now()
  )`,

  // A browser that a user has subscribed. `sealed` has the endpoint and the browser's keys. It ends with the session
  // that subscribed it: after a sign-out, nothing more is shown there.
  `create table push_subscriptions (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    session_id uuid not null references sessions (id) on delete cascade,
    endpoint_hash text not null,
    sealed text not null,
    label text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    constraint push_subscriptions_endpoint unique (user_id, endpoint_hash)
  )`,
  "create index push_subscriptions_session on push_subscriptions (session_id)",
  "create index push_subscriptions_last_used_at on push_subscriptions (last_used_at)",

  // `sealed` has the target, since an address may be a secret. `target` is the part that is shown.
  `create table notification_rules (
    organization_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    channel text not null check (channel in ('push', 'ntfy', 'webhook', 'messenger')),
    sealed text,
    target text,
    kinds text[] not null,
    scope text not null check (scope in ('mine', 'projects', 'all')),
    project_ids uuid[] not null default '{}',
    quiet_from time,
    quiet_to time,
    time_zone text not null,
    after_seconds integer not null default 0,
    show_text boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, user_id) references memberships on delete cascade,
    check ((channel = 'push') = (sealed is null)),
    check ((quiet_from is null) = (quiet_to is null))
  )`,
  "create index notification_rules_user on notification_rules (organization_id, user_id)",
  "create index notification_rules_user_id on notification_rules (user_id)",

  // Notifications to send, and those of the last days. `dedupe` names what a notification is about, so that it is
  // stored once. `leased_until`: until then one process sends it. `sent_at`: when it was last tried.
  `create table notification_outbox (
    organization_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    rule_id uuid not null,
    channel text not null,
    kind text not null check (
      kind in ('needs_input', 'done', 'limited', 'failed', 'checks_failed', 'merged', 'blocked', 'test')),
    session_id uuid,
    request_id uuid,
    dedupe text not null,
    delivery_state text not null default 'due' check (
      delivery_state in ('due', 'sending', 'sent', 'failed', 'unknown', 'suppressed')),
    not_before timestamptz not null default now(),
    leased_until timestamptz,
    attempts integer not null default 0,
    error text,
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    primary key (organization_id, id),
    constraint notification_outbox_dedupe unique (organization_id, dedupe),
    foreign key (organization_id, rule_id) references notification_rules on delete cascade,
    foreign key (organization_id, session_id) references agent_sessions on delete cascade,
    check ((delivery_state = 'sending') = (leased_until is not null))
  )`,
  "create index notification_outbox_due on notification_outbox (not_before) where delivery_state = 'due'",
  "create index notification_outbox_leased on notification_outbox (leased_until) where delivery_state = 'sending'",
  "create index notification_outbox_rule on notification_outbox (organization_id, rule_id)",
  "create index notification_outbox_session on notification_outbox (organization_id, session_id)",
  // A user's own list.
  "create index notification_outbox_user on notification_outbox (organization_id, user_id, created_at desc, id desc)",
  // The limit on a user's pushes is counted from this index, over all organizations.
  `create index notification_outbox_pushed on notification_outbox (user_id, sent_at)
    where channel = 'push' and sent_at is not null`,
  "create index notification_outbox_created_at on notification_outbox (created_at)",

  // Users whose console is visible. `until`: when that is no longer assumed.
  `create table user_presence (
    user_id uuid primary key references users (id) on delete cascade,
    until timestamptz not null
  )`,
]);
