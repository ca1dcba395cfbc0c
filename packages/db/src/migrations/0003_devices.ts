import { statements } from "./statements";

/** Devices, and the queue of commands for them. */
export const up = statements([
  // Two machines that use the same device key show as two journals that take turns.
  // `registered_by_key`: a person who revokes an API key is told which devices it leaves behind.
  // `secrets_allowed`: all agent sessions on the device get project secrets, even one that a member's API key starts.
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
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    previous_journal_id uuid,
    journal_changed_at timestamptz,
    registered_by_key uuid,
    secrets_allowed boolean not null default false,
    unique (organization_id, id),
    constraint devices_registered_by_key foreign key (organization_id, registered_by_key)
      references api_keys (organization_id, id) on delete set null (registered_by_key)
  )`,
  "create index devices_organization on devices (organization_id, created_at desc, id desc)",
  "create index devices_owner_id on devices (owner_id)",
  `create index devices_by_key on devices (organization_id, registered_by_key)
    where registered_by_key is not null`,

  // `journal_id` is the journal that claimed the command. Reports of any other journal are refused.
  // `announce`: someone waits for the command besides its caller in the process that holds the device's stream.
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
    announce boolean not null default true,
    constraint device_commands_idempotency unique (organization_id, principal, idempotency_key),
    foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
  )`,
  // A connect or a wake-up reads the few open commands of one device, oldest first.
  `create index device_commands_open on device_commands (organization_id, device_id, created_at, id)
    where status in ('queued', 'claimed', 'running')`,
  // A list, and each of its filters. There is no index of requested_by alone: deleting an account may be slow,
  // inserting a command may not.
  "create index device_commands_organization on device_commands (organization_id, created_at desc, id desc)",
  `create index device_commands_requested_by
    on device_commands (organization_id, requested_by, created_at desc, id desc)`,
  "create index device_commands_device on device_commands (organization_id, device_id, created_at desc, id desc)",
  "create index device_commands_status on device_commands (organization_id, status, created_at desc, id desc)",
  // Commands are deleted some time after their end, reads of an agent's screen before all others.
  "create index device_commands_finished_at on device_commands (finished_at) where finished_at is not null",
  `create index device_commands_screens on device_commands (finished_at)
    where tool = 'get_agent_screen' and finished_at is not null`,
]);
