import { type Kysely, sql } from "kysely";

/**
 * People, organizations, projects, workspaces, devices and the command queue.
 *
 * Every table of an organization has organization_id at the front of its indexes and in composite foreign keys, so
 * that no row can point into another tenant. Credentials are found by hash, before a tenant is known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const times = `
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()`;

const statements = [
  `create table users (
    id uuid primary key,
    email text not null unique check (email = lower(email)),
    name text not null,
    image text,
    password_hash text,
    email_verified_at timestamptz,
    disabled_at timestamptz,
    ${times}
  )`,

  `create table sessions (
    id_hash text primary key,
    id uuid not null unique,
    user_id uuid not null references users (id) on delete cascade,
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    ip text,
    user_agent text
  )`,
  "create index sessions_user_id on sessions (user_id)",
  "create index sessions_expires_at on sessions (expires_at)",

  `create table organizations (
    id uuid primary key,
    name text not null,
    slug text not null constraint organizations_slug unique,
    image text,
    ${times}
  )`,

  `create table memberships (
    organization_id uuid not null references organizations (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    role text not null check (role in ('member', 'admin', 'owner')),
    created_at timestamptz not null default now(),
    primary key (organization_id, user_id)
  )`,
  "create index memberships_user_id on memberships (user_id)",

  // A key cannot outlive its owner's membership.
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
    foreign key (organization_id, user_id) references memberships on delete cascade
  )`,
  "create index api_keys_organization on api_keys (organization_id, created_at desc, id desc)",

  `create table projects (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    name text not null,
    slug text not null,
    repo_owner text not null,
    repo_name text not null,
    repo_url text not null,
    default_branch text not null,
    ${times},
    constraint projects_slug unique (organization_id, slug),
    unique (organization_id, id)
  )`,
  "create index projects_organization on projects (organization_id, created_at desc, id desc)",

  `create table devices (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    owner_id uuid not null references users (id) on delete cascade,
    name text not null,
    platform text not null check (platform in ('mac', 'windows', 'linux')),
    shared boolean not null default false,
    key_prefix text not null,
    key_hash text not null unique,
    agent_version text,
    capabilities text[] not null default '{}',
    journal_id uuid,
    epoch integer not null default 0,
    present_until timestamptz,
    last_seen_at timestamptz,
    offline_reason text
      check (offline_reason in ('never_connected', 'disconnected', 'unresponsive', 'revoked', 'outdated_agent')),
    revoked_at timestamptz,
    ${times},
    unique (organization_id, id)
  )`,
  "create index devices_organization on devices (organization_id, created_at desc, id desc)",

  `create table workspaces (
    id uuid primary key,
    organization_id uuid not null,
    project_id uuid not null,
    device_id uuid,
    name text not null,
    type text not null check (type in ('worktree', 'main')),
    config jsonb not null check (jsonb_typeof(config) = 'object'),
    created_by uuid references users (id) on delete set null,
    ${times},
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, device_id) references devices (organization_id, id)
      on delete set null (device_id)
  )`,
  "create index workspaces_organization on workspaces (organization_id, created_at desc, id desc)",
  "create index workspaces_project on workspaces (organization_id, project_id)",
  "create index workspaces_device on workspaces (organization_id, device_id)",

  `create table workspace_tombstones (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    deleted_at timestamptz not null default now()
  )`,

  `create table device_commands (
    id uuid primary key,
    organization_id uuid not null,
    device_id uuid not null,
    tool text not null,
    params jsonb not null check (jsonb_typeof(params) = 'object'),
    status text not null default 'queued' check (status in
      ('queued', 'claimed', 'running', 'succeeded', 'failed', 'canceled', 'expired', 'timed_out', 'lost')),
    result jsonb,
    error jsonb,
    late_result jsonb,
    progress jsonb,
    requested_by uuid references users (id) on delete set null,
    principal text not null,
    idempotency_key text,
    idempotency_hash text,
    attempt integer not null default 0,
    journal_id uuid,
    timeout_ms integer not null,
    queue_expires_at timestamptz not null,
    cancel_requested_at timestamptz,
    created_at timestamptz not null default now(),
    claimed_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    constraint device_commands_idempotency unique (organization_id, principal, idempotency_key),
    foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
  )`,
  "create index device_commands_organization on device_commands (organization_id, created_at desc, id desc)",
  // What a connect or a wake-up reads: the few open rows of one device, oldest first.
  `create index device_commands_open on device_commands (organization_id, device_id, created_at, id)
    where status in ('queued', 'claimed', 'running')`,

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
];
