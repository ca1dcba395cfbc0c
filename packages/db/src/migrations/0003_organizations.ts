import { statements } from "./statements";

/** Organizations: members, API keys, invitations, the audit log, and the events that clients follow. */
export const up = statements([
  `create table organizations (
    id uuid primary key,
    name text not null,
    slug text not null constraint organizations_slug unique,
    image text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  // The list of the site's admins.
  "create index organizations_created_at on organizations (created_at desc, id desc)",

  `create table memberships (
    organization_id uuid not null references organizations (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    role text not null check (role in ('member', 'admin', 'owner')),
    created_at timestamptz not null default now(),
    primary key (organization_id, user_id)
  )`,
  "create index memberships_user_id on memberships (user_id)",
  "create index memberships_organization on memberships (organization_id, created_at desc, user_id desc)",

  // A key ends with its owner's membership.
  `create table api_keys (
    id uuid primary key,
    organization_id uuid not null,
    user_id uuid not null,
    name text not null,
    prefix text not null,
    key_hash text not null unique,
    scopes text[] not null check (scopes <@ array['read', 'write'] and cardinality(scopes) > 0),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null default now(),
    constraint api_keys_in_organization unique (organization_id, id),
    foreign key (organization_id, user_id) references memberships on delete cascade
  )`,
  "create index api_keys_organization on api_keys (organization_id, created_at desc, id desc)",

  // There are two tokens. Only the mail contains the second one, so a person who presents it has read the mail.
  `create table invitations (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    email text not null check (email = lower(email)),
    role text not null check (role in ('member', 'admin')),
    token_hash text not null unique,
    mailed_token_hash text unique,
    invited_by uuid references users (id) on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    accepted_at timestamptz,
    revoked_at timestamptz
  )`,
  "create index invitations_organization on invitations (organization_id, created_at desc, id desc)",
  "create index invitations_invited_by on invitations (invited_by)",
  // An address has one open invitation: inviting it again renews that one.
  `create unique index invitations_open on invitations (organization_id, email)
    where accepted_at is null and revoked_at is null`,
  // Signing in through a provider looks for an invitation from any organization.
  `create index invitations_email on invitations (email)
    where accepted_at is null and revoked_at is null`,

  `create table audit_events (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    actor_id uuid,
    actor_kind text not null check (actor_kind in ('user', 'api_key', 'device', 'system')),
    action text not null,
    target_type text not null,
    target_id text not null,
    metadata jsonb not null default '{}',
    created_at timestamptz not null default now()
  )`,
  "create index audit_events_organization on audit_events (organization_id, created_at desc, id desc)",
  "create index audit_events_action on audit_events (organization_id, action, created_at desc, id desc)",
  "create index audit_events_actor on audit_events (organization_id, actor_id, created_at desc, id desc)",

  // A transaction that changes something raises this counter. It holds the row's lock until it commits, so events are
  // numbered in the order of the commits.
  `create table organization_event_counters (
    organization_id uuid primary key references organizations (id) on delete cascade,
    last_sequence bigint not null
  )`,
  // `payload_bytes` bounds how much is read at a time, without reading the payloads.
  `create table organization_events (
    organization_id uuid not null references organizations (id) on delete cascade,
    sequence bigint not null,
    topic text not null,
    payload jsonb not null check (jsonb_typeof(payload) = 'object'),
    payload_bytes integer not null generated always as (octet_length(payload::text)) stored,
    created_at timestamptz not null default now(),
    primary key (organization_id, sequence)
  )`,
  "create index organization_events_topic on organization_events (organization_id, topic, sequence)",
  "create index organization_events_created_at on organization_events (created_at)",
]);
