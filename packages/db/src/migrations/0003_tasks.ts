import { type Kysely, sql } from "kysely";

/** Resumable events of an organization, tasks with their statuses, and chat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const times = `
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()`;

const statements = [
  // Raised in the transaction of the change: its lock makes the order of commits the order of events.
  `create table organization_event_counters (
    organization_id uuid primary key references organizations (id) on delete cascade,
    last_sequence bigint not null
  )`,
  `create table organization_events (
    organization_id uuid not null references organizations (id) on delete cascade,
    sequence bigint not null,
    topic text not null,
    payload jsonb not null check (jsonb_typeof(payload) = 'object'),
    created_at timestamptz not null default now(),
    primary key (organization_id, sequence)
  )`,
  "create index organization_events_topic on organization_events (organization_id, topic, sequence)",
  "create index organization_events_created_at on organization_events (created_at)",

  // A filter takes a key or else a type, so a key that is a type's name must mean that type.
  `create table task_statuses (
    organization_id uuid not null references organizations (id) on delete cascade,
    key text not null,
    name text not null,
    type text not null check (type in ('backlog', 'unstarted', 'started', 'completed', 'canceled')),
    color text not null,
    position integer not null,
    primary key (organization_id, key),
    check (key = type or key not in ('backlog', 'unstarted', 'started', 'completed', 'canceled'))
  )`,
  // What packages/db's insertTaskStatuses gives new organizations, for those that exist already.
  `insert into task_statuses (organization_id, key, name, type, color, position)
    select organizations.id, status.* from organizations cross join (values
      ('backlog', 'Backlog', 'backlog', '#8a8f98', 0),
      ('todo', 'Todo', 'unstarted', '#e2e2e2', 1),
      ('in_progress', 'In progress', 'started', '#f2c94c', 2),
      ('in_review', 'In review', 'started', '#4cb782', 3),
      ('done', 'Done', 'completed', '#5e6ad2', 4),
      ('canceled', 'Canceled', 'canceled', '#95a2b3', 5)
    ) as status`,

  // An assignee who ceases to be a member is none any more. search_text is folded by the API, so that a search finds
  // any script's letters in whatever case, whatever the database's locale.
  `create table tasks (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    slug text not null,
    title text not null,
    description text,
    search_text text not null,
    status text not null,
    priority text not null check (priority in ('urgent', 'high', 'medium', 'low', 'none')),
    assignee_id uuid,
    creator_id uuid references users (id) on delete set null,
    project_id uuid,
    labels text[] not null,
    due_date date,
    estimate integer,
    branch text,
    pr_url text,
    external_url text,
    started_at timestamptz,
    completed_at timestamptz,
    deleted_at timestamptz,
    ${times},
    unique (organization_id, id),
    constraint tasks_slug unique (organization_id, slug),
    constraint tasks_status foreign key (organization_id, status) references task_statuses,
    constraint tasks_assignee foreign key (organization_id, assignee_id) references memberships
      on delete set null (assignee_id),
    constraint tasks_project foreign key (organization_id, project_id) references projects (organization_id, id)
      on delete set null (project_id)
  )`,
  `create index tasks_organization on tasks (organization_id, created_at desc, id desc)
    where deleted_at is null`,
  "create index tasks_organization_status on tasks (organization_id, status, created_at desc, id desc)",
  "create index tasks_organization_assignee on tasks (organization_id, assignee_id, created_at desc, id desc)",
  "create index tasks_organization_project on tasks (organization_id, project_id, created_at desc, id desc)",
  "create index tasks_deleted_at on tasks (deleted_at) where deleted_at is not null",

  "create unique index if not exists workspaces_organization_id_id on workspaces (organization_id, id)",
  `create table chat_sessions (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    title text not null,
    workspace_id uuid,
    created_by uuid references users (id) on delete set null,
    last_active_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
      on delete set null (workspace_id)
  )`,
  "create index chat_sessions_organization on chat_sessions (organization_id, created_at desc, id desc)",
  "create index chat_sessions_workspace on chat_sessions (organization_id, workspace_id)",
  `create table chat_messages (
    id uuid primary key,
    organization_id uuid not null,
    session_id uuid not null,
    role text not null check (role in ('user', 'agent')),
    author_id uuid references users (id) on delete set null,
    text text not null,
    created_at timestamptz not null default now(),
    foreign key (organization_id, session_id) references chat_sessions (organization_id, id) on delete cascade
  )`,
  `create index chat_messages_session
    on chat_messages (organization_id, session_id, created_at desc, id desc)`,
];
