import { statements } from "./statements";

/** Agent sessions, and the end of their output. */
export const up = statements([
  // The device chooses the id, which is unique in the organization only: otherwise a conflict would tell a device that
  // another organization has that session.
  // `journal_id` is the journal that the session began under: when the device connects with another, the session ends.
  // `columns` and `rows` are the terminal's size: without it, the output of a full-screen program cannot be shown.
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
    journal_id uuid,
    waiting_for_input boolean not null default false,
    error jsonb,
    columns integer not null default 120,
    rows integer not null default 40,
    primary key (organization_id, id),
    foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade,
    foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
      on delete set null (workspace_id),
    foreign key (organization_id, task_id) references tasks (organization_id, id) on delete set null (task_id),
    check ((status = 'running') = (ended_at is null)),
    check (status = 'running' or not waiting_for_input)
  )`,
  "create index agent_sessions_organization on agent_sessions (organization_id, created_at desc, id desc)",
  "create index agent_sessions_status on agent_sessions (organization_id, status, created_at desc, id desc)",
  "create index agent_sessions_device on agent_sessions (organization_id, device_id) where status = 'running'",
  "create index agent_sessions_workspace on agent_sessions (organization_id, workspace_id)",
  "create index agent_sessions_task on agent_sessions (organization_id, task_id)",
  "create index agent_sessions_started_by on agent_sessions (started_by)",
  "create index agent_sessions_ended_at on agent_sessions (ended_at) where ended_at is not null",

  // `end_byte` is where the chunk ends, counted from the first byte of the session. Old chunks are deleted.
  `create table agent_session_output (
    organization_id uuid not null,
    session_id uuid not null,
    sequence integer not null,
    data text not null,
    end_byte bigint not null,
    primary key (organization_id, session_id, sequence),
    foreign key (organization_id, session_id) references agent_sessions on delete cascade
  )`,
]);
