import { type Kysely, sql } from "kysely";

/** Project secrets, agent sessions with the kept tail of their output, and what the site's admins list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // `sealed` is AES-256-GCM with the row's identity as additional data: a value moved to another row does not open.
  `create table project_secrets (
    organization_id uuid not null,
    project_id uuid not null,
    key text not null check (key ~ '^[A-Z_][A-Z0-9_]*$'),
    sealed text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, project_id, key),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  )`,

  "create unique index if not exists workspaces_organization_id_id on workspaces (organization_id, id)",

  // The device chooses the id, so it is unique in its organization only: nobody learns of another's by trying.
  `create table agent_sessions (
    organization_id uuid not null,
    id uuid not null,
    device_id uuid not null,
    workspace_id uuid,
    task_id uuid,
    agent text not null,
    status text not null default 'running' check (status in ('running', 'exited', 'failed', 'stopped')),
    exit_code integer,
    started_by uuid references users (id) on delete set null,
    last_sequence integer not null default 0,
    output_bytes bigint not null default 0,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade,
    foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
      on delete set null (workspace_id),
    check ((status = 'running') = (ended_at is null))
  )`,
  "create index agent_sessions_organization on agent_sessions (organization_id, created_at desc, id desc)",
  "create index agent_sessions_device on agent_sessions (organization_id, device_id) where status = 'running'",
  "create index agent_sessions_ended_at on agent_sessions (ended_at) where ended_at is not null",
  "create index agent_sessions_workspace on agent_sessions (organization_id, workspace_id)",

  // `end_byte` counts from the session's first byte: the tail that is kept is a range of it.
  `create table agent_session_output (
    organization_id uuid not null,
    session_id uuid not null,
    sequence integer not null,
    data text not null,
    end_byte bigint not null,
    primary key (organization_id, session_id, sequence),
    foreign key (organization_id, session_id) references agent_sessions on delete cascade
  )`,

  "create index users_created_at on users (created_at desc, id desc)",
  "create index organizations_created_at on organizations (created_at desc, id desc)",
];
