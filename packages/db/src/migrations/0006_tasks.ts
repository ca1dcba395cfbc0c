import { statements } from "./statements";

/** Tasks, the statuses that an organization gives them, and the functions of their search. */
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

  // The characters of a text, and each two that are neighbours. They are in a tsvector because GIN has no quicker
  // comparison of strings. No dictionary is used.
  `create function bigrams(value text) returns tsvector language sql immutable strict parallel safe cost 1000
    return (select array_to_tsvector(array_agg(distinct gram))
      from (select string_to_array(value, null) as characters) as split,
        unnest(characters, characters[2:]) as pairs (one, next),
        lateral (values (one), (one || next)) as grams (gram)
      where gram is not null)`,

  // An assignee who leaves the organization is removed from its tasks. The API folds `search_text`, so that a search
  // ignores case in every script, whatever the locale of the database.
  // A task that was never moved has no rank, and its id is its rank: creating a task assigns none.
  // `search_bigrams` is stored, so that it is computed once per text. With an index on the expression, the planner
  // could compute it for each row that a search reads. The organization is one of the lexemes: the index then finds
  // the organization's tasks by itself. The column is last, since it is large and only the index reads it.
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
    rank text,
    idempotency_principal text,
    idempotency_key text,
    idempotency_hash text,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    search_bigrams tsvector generated always as (
      coalesce(bigrams(search_text), '') || array_to_tsvector(array[organization_id::text])) stored,
    unique (organization_id, id),
    constraint tasks_slug unique (organization_id, slug),
    constraint tasks_status foreign key (organization_id, status) references task_statuses,
    constraint tasks_assignee foreign key (organization_id, assignee_id) references memberships
      on delete set null (assignee_id),
    constraint tasks_project foreign key (organization_id, project_id) references projects (organization_id, id)
      on delete set null (project_id)
  )`,
  // No plan uses statistics of this column, for which ANALYZE would read thousands of vectors.
  "alter table tasks alter column search_bigrams set statistics 0",
  // A request to create a task that is sent again finds the task of the first one.
  `create unique index tasks_idempotency_key on tasks (organization_id, idempotency_principal, idempotency_key)
    where idempotency_key is not null`,
  // A list, and each of its filters.
  `create index tasks_organization on tasks (organization_id, created_at desc, id desc)
    where deleted_at is null`,
  `create index tasks_organization_creator on tasks (organization_id, creator_id, created_at desc, id desc)
    where deleted_at is null`,
  `create index tasks_organization_status on tasks (organization_id, status, created_at desc, id desc)
    include (deleted_at)`,
  "create index tasks_organization_assignee on tasks (organization_id, assignee_id, created_at desc, id desc)",
  "create index tasks_organization_project on tasks (organization_id, project_id, created_at desc, id desc)",
  // Counts by status read an index that has nothing else: a tenth of the pages of the one for lists.
  "create index tasks_counted on tasks (organization_id, status) where deleted_at is null",
  // The organization's order, and the order within a status.
  `create unique index tasks_rank on tasks
    (organization_id, (coalesce(rank, replace(id::text, '-', '')) collate "C") desc)`,
  `create index tasks_status_rank on tasks
    (organization_id, status, (coalesce(rank, replace(id::text, '-', '')) collate "C") desc)`,
  // A delivery from a code host finds its task by the pull request or the branch.
  "create index tasks_organization_pr_url on tasks (organization_id, pr_url) where pr_url is not null",
  "create index tasks_organization_branch on tasks (organization_id, branch) where branch is not null",
  "create index tasks_creator_id on tasks (creator_id)",
  "create index tasks_deleted_at on tasks (deleted_at) where deleted_at is not null",

  // Comments on tasks, and the changes of their fields.
  `create table task_activity (
    id uuid primary key,
    organization_id uuid not null,
    task_id uuid not null,
    kind text not null check (kind in ('comment', 'change')),
    actor_kind text not null check (actor_kind in ('user', 'api_key', 'integration')),
    actor_id uuid references users (id) on delete set null,
    body text,
    changes jsonb,
    created_at timestamptz not null default now(),
    edited_at timestamptz,
    check ((kind = 'comment') = (body is not null)),
    check ((kind = 'change') = (changes is not null)),
    foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
  )`,
  "create index task_activity_task on task_activity (organization_id, task_id, created_at desc, id desc)",
  "create index task_activity_actor_id on task_activity (actor_id)",

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
  // For searches that the index of pg_trgm cannot answer.
  "create index tasks_bigrams on tasks using gin (search_bigrams) where deleted_at is null",
  // Only this index may be used: reading the organization's tasks one by one reads all of their vectors. The planner
  // estimates the number of rows, and not how long their values are. No index has an operator for <>.
  `create function tasks_with_bigrams(organization uuid, wanted tsquery, max_rows integer) returns setof uuid
    language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
    begin atomic
      select tasks.id from tasks
      where deleted_at is null and search_bigrams @@ (('''' || organization || '''')::tsquery && wanted)
        and not organization_id <> organization
      limit max_rows;
    end`,
  // A time limit for statements of the embedded engine, which cannot end a running one from outside. A condition calls
  // it for each row.
  `create function require_time(allowed interval) returns boolean language plpgsql volatile as $$ begin
    if clock_timestamp() > statement_timestamp() + allowed then
      raise query_canceled using message = 'canceling statement due to its time limit';
    end if;
    return true;
  end $$`,
]);
