import { statements } from "./statements";

/** Tasks, and the statuses that an organization gives them. */
export const up = statements([
  // A filter takes a key or a type, so a key that is the name of a type must be of that type.
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

  // An assignee who leaves the organization is removed from its tasks. The API folds search_text, so that a search
  // ignores case in every script, whatever the locale of the database.
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
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    idempotency_principal text,
    idempotency_key text,
    idempotency_hash text,
    unique (organization_id, id),
    constraint tasks_slug unique (organization_id, slug),
    constraint tasks_status foreign key (organization_id, status) references task_statuses,
    constraint tasks_assignee foreign key (organization_id, assignee_id) references memberships
      on delete set null (assignee_id),
    constraint tasks_project foreign key (organization_id, project_id) references projects (organization_id, id)
      on delete set null (project_id)
  )`,
  // A request to create a task that is sent again finds the task of the first one.
  `create unique index tasks_idempotency_key on tasks (organization_id, idempotency_principal, idempotency_key)
    where idempotency_key is not null`,
  // A list, and each of its filters.
  `create index tasks_organization on tasks (organization_id, created_at desc, id desc)
    where deleted_at is null`,
  `create index tasks_organization_creator on tasks (organization_id, creator_id, created_at desc, id desc)
    where deleted_at is null`,
  "create index tasks_organization_status on tasks (organization_id, status, created_at desc, id desc)",
  "create index tasks_organization_assignee on tasks (organization_id, assignee_id, created_at desc, id desc)",
  "create index tasks_organization_project on tasks (organization_id, project_id, created_at desc, id desc)",
  // A delivery from a code host finds its task by the pull request or the branch.
  "create index tasks_organization_pr_url on tasks (organization_id, pr_url) where pr_url is not null",
  "create index tasks_organization_branch on tasks (organization_id, branch) where branch is not null",
  "create index tasks_creator_id on tasks (creator_id)",
  "create index tasks_deleted_at on tasks (deleted_at) where deleted_at is not null",

  // PostgreSQL trusts both extensions: to install them takes CREATE on the database, and no superuser. Without them
  // a search reads all tasks of the organization, and labels are looked up in the index of all organizations.
  `do $$ begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index tasks_search on tasks using gin (organization_id, search_text gin_trgm_ops)
      where deleted_at is null;
    create index tasks_labels on tasks using gin (organization_id, labels) where deleted_at is null;
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    create index tasks_labels on tasks using gin (labels) where deleted_at is null;
  end $$`,
]);
