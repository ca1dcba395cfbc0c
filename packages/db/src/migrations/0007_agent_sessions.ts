import { statements } from "./statements";

/** Agent sessions, what their agents ask, and the end of their output. */
export const up = statements([
  // `id`: the device chooses it. It is unique in the organization only: otherwise a conflict would reveal that another
  // organization has that session.
  // `name`: the task's title or the first line of the prompt, until a user renames the session.
  // `journal_id`: the device's journal when the session began. When the device connects with another, the session ends.
  // `question_text`: the last lines on the screen of an agent that waits for input.
  // `screen`: the number of that screen. An answer names the screen that its author saw.
  // `columns`, `rows`: the terminal's size, without which the output of a full-screen program cannot be shown.
  // `last_line`: ends with a line break unless the next output continues the line.
  // `watched_until`: until then the output has a viewer, so chunks are announced.
  // `activity` and the columns named after it: the agent's state.
  // `activity_number`: the number of the report, so that a late one does not replace a newer one.
  // `started_with`: the principal of the command that started the session, a user or an API key.
  `create table agent_sessions (
    organization_id uuid not null,
    id uuid not null,
    device_id uuid not null,
    workspace_id uuid,
    task_id uuid,
    agent text not null,
    name text,
    status text not null default 'running' check (status in ('running', 'exited', 'failed', 'stopped')),
    exit_code integer,
    error jsonb,
    journal_id uuid,
    waiting_for_input boolean not null default false,
    question_text text,
    screen integer,
    columns integer not null default 120,
    rows integer not null default 40,
    last_sequence integer not null default 0,
    output_bytes bigint not null default 0,
    last_line text,
    watched_until timestamptz,
    activity text,
    activity_since timestamptz,
    activity_source text,
    activity_detail text,
    activity_number integer not null default 0,
    limited_until timestamptz,
    started_by uuid references users (id) on delete set null,
    started_with text,
    created_at timestamptz not null default now(),
    renamed_at timestamptz,
    ended_at timestamptz,
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
  "create index agent_sessions_renamed_at on agent_sessions (renamed_at) where renamed_at is not null",

  // The requests of agents. The device chooses the id. `input` and `questions` are deleted some minutes after
  // the request was settled. `command_id` is the command that delivers the answer.
  `create table agent_requests (
    organization_id uuid not null,
    id uuid not null,
    session_id uuid not null,
    device_id uuid not null,
    kind text not null,
    tool text not null,
    title text not null,
    input text,
    questions jsonb,
    is_answerable boolean not null,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    status text not null default 'open'
      check (status in ('open', 'answered', 'answered_there', 'expired', 'withdrawn')),
    decision text,
    scope text,
    answered_by uuid references users (id) on delete set null,
    settled_at timestamptz,
    command_id uuid,
    answer_key text,
    primary key (organization_id, id),
    foreign key (organization_id, session_id) references agent_sessions on delete cascade,
    check ((status = 'open') = (settled_at is null)),
    check ((status = 'answered') = (decision is not null))
  )`,
  "create index agent_requests_open on agent_requests (organization_id, created_at, id) where status = 'open'",
  "create index agent_requests_expires_at on agent_requests (expires_at) where status = 'open'",
  "create index agent_requests_session on agent_requests (organization_id, session_id, created_at)",
  "create index agent_requests_settled_at on agent_requests (settled_at) where input is not null",
  "create index agent_requests_settled on agent_requests (organization_id, settled_at) where settled_at is not null",
  "create index agent_requests_answered_by on agent_requests (answered_by)",

  // A member does not want to see a request before `until`. It stays open for others.
  `create table request_marks (
    organization_id uuid not null,
    request_id uuid not null,
    user_id uuid not null references users (id) on delete cascade,
    until timestamptz not null,
    primary key (organization_id, request_id, user_id),
    foreign key (organization_id, request_id) references agent_requests on delete cascade
  )`,
  "create index request_marks_user on request_marks (user_id)",

  // The last change of a session's activity that a member has seen: its `activity_since`.
  `create table session_marks (
    organization_id uuid not null,
    session_id uuid not null,
    user_id uuid not null references users (id) on delete cascade,
    seen timestamptz not null,
    primary key (organization_id, session_id, user_id),
    foreign key (organization_id, session_id) references agent_sessions on delete cascade
  )`,
  "create index session_marks_user on session_marks (user_id)",

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
