import type { Kysely } from "kysely";
import { createPartitions } from "../partitions";
import type { Database } from "../tables";
import { statements } from "./statements";

const devices = statements([
  // `registered_by_key`: revoking an API key lists the devices that it registered, which stay.
  // `secrets_allowed`: all agent sessions on the device get project secrets, even one that a member's API key starts.
  // `previous_journal_id`: two machines that use the same device key show as two journals that take turns.
  // `present_epoch`: the epoch of the newest stream that has answered a heartbeat.
  // `instance_id` has no foreign key: each connect would check it, and a deleted lease means the same as none.
  // Because of the fill factor, most connects find space for the row on its page, and write no index.
  `create table devices (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    owner_id uuid not null references users (id) on delete cascade,
    name text not null,
    platform text not null check (platform in ('mac', 'windows', 'linux')),
    shared boolean not null default false,
    registered_by_key uuid,
    secrets_allowed boolean not null default false,
    ssh_host text,
    key_prefix text not null,
    key_hash text not null unique,
    agent_version text,
    capabilities text[] not null default '{}',
    journal_id uuid,
    previous_journal_id uuid,
    journal_changed_at timestamptz,
    epoch integer not null default 0,
    instance_id uuid,
    present_epoch integer,
    present_until timestamptz,
    last_seen_at timestamptz,
    offline_reason text
      check (offline_reason in ('never_connected', 'disconnected', 'unresponsive', 'revoked', 'outdated_agent')),
    revoked_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, id),
    constraint devices_registered_by_key foreign key (organization_id, registered_by_key)
      references api_keys (organization_id, id) on delete set null (registered_by_key)
  ) with (fillfactor = 85)`,
  "create index devices_organization on devices (organization_id, created_at desc, id desc)",
  "create index devices_owner_id on devices (owner_id)",
  `create index devices_by_key on devices (organization_id, registered_by_key)
    where registered_by_key is not null`,

  // A machine that requests to become a device has no organization until a member approves it. A registration is
  // approved before there is a machine, and has no code for people.
  `create table device_pairings (
    secret_hash text primary key,
    code_hash text unique,
    name text,
    platform text check (platform in ('mac', 'windows', 'linux')),
    agent_version text,
    ip text,
    organization_id uuid references organizations (id) on delete cascade,
    approved_by uuid references users (id) on delete cascade,
    shared boolean not null default false,
    secrets_allowed boolean not null default false,
    device_id uuid,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    check (num_nulls(organization_id, approved_by, device_id) in (0, 3)),
    check (code_hash is null or num_nulls(name, platform) = 0)
  )`,
  "create index device_pairings_organization on device_pairings (organization_id) where organization_id is not null",
  "create index device_pairings_approved_by on device_pairings (approved_by) where approved_by is not null",
  "create index device_pairings_expires_at on device_pairings (expires_at)",
]);

const commands = statements([
  // `journal_id` is the journal that claimed the command. Reports of any other journal are refused.
  // `result_removed_at`: large results are removed before their commands, and a command shows that it had one.
  // `trace_parent` is the trace that the command belongs to, as W3C's traceparent.
  // Partitioned by week, since an expired partition is dropped without deleting its rows.
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
    result_removed_at timestamptz,
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
    trace_parent text,
    created_at timestamptz not null default now(),
    claimed_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
  ) partition by range (id)`,
  // A connect or a wake-up reads the few open commands of one device, oldest first.
  `create index device_commands_open on device_commands (organization_id, device_id, created_at, id)
    where status in ('queued', 'claimed', 'running')`,
  // Indexes of the list, and of each of its filters. There is no index of requested_by alone: it would slow inserts of
  // commands, and only the deletion of an account needs it.
  "create index device_commands_organization on device_commands (organization_id, created_at desc, id desc)",
  `create index device_commands_requested_by
    on device_commands (organization_id, requested_by, created_at desc, id desc)`,
  "create index device_commands_device on device_commands (organization_id, device_id, created_at desc, id desc)",
  "create index device_commands_status on device_commands (organization_id, status, created_at desc, id desc)",
  // Commands are deleted some time after their end, and reads of an agent's screen before all others. Commands whose
  // result shows people's files lose it some minutes after their end.
  "create index device_commands_finished_at on device_commands (finished_at) where finished_at is not null",
  `create index device_commands_screens on device_commands (finished_at)
    where tool = 'get_agent_screen' and finished_at is not null`,
  `create index device_commands_files on device_commands (finished_at)
    where tool in ('get_workspace_diff', 'resolve_anchors', 'get_change_status', 'list_branches',
      'get_repository_scripts', 'list_files', 'read_file', 'search_files') and (result is not null or late_result is not null)`,

  // How many open commands of a device were made before an id. A function, so that a statement which seldom needs the
  // number is not planned for every partition.
  `create function open_commands_before(organization uuid, device uuid, before uuid, max_rows integer) returns bigint
    language plpgsql stable as $$ begin
      return (select count(*) from (
        select from device_commands where organization_id = organization and device_id = device and id < before
          and status in ('queued', 'claimed', 'running') limit max_rows) as older);
    end $$`,
]);

const keys = statements([
  // Idempotency keys are unique over all partitions, which an index of a partitioned table cannot be.
  `create table command_keys (
    organization_id uuid not null references organizations (id) on delete cascade,
    principal text not null,
    key text not null,
    command_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, principal, key)
  )`,
  "create index command_keys_created_at on command_keys (created_at)",

  // An insert with a key that is taken makes no row.
  `create function keep_command_key() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      delete from command_keys where organization_id = old.organization_id and principal = old.principal
        and key = old.idempotency_key and command_id = old.id;
      return new;
    end if;
    insert into command_keys (organization_id, principal, key, command_id)
      values (new.organization_id, new.principal, new.idempotency_key, new.id)
      on conflict (organization_id, principal, key) do update set command_id = excluded.command_id
      where command_keys.command_id = excluded.command_id;
    return case when found then new end;
  end $$`,
  // The triggers run only for commands with a key. Backups contain this table, so restoring a command cannot take a key
  // that was freed.
  `create trigger take_key before insert on device_commands for each row
    when (new.idempotency_key is not null and new.created_at > now() - interval '24 hours')
    execute function keep_command_key()`,
  `create trigger free_key before update of idempotency_key on device_commands for each row
    when (old.idempotency_key is not null and new.idempotency_key is null)
    execute function keep_command_key()`,
]);

/** Devices, the machines that wait to become one, and the queue of commands for devices. */
export async function up(db: Kysely<Database>): Promise<void> {
  await devices(db);
  await commands(db);
  await createPartitions(db, "device_commands");
  await keys(db);
}
