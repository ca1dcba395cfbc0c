import { statements } from "./statements";

/** Repositories, and projects with their secrets and workspaces. */
export const up = statements([
  // Repositories by the code host's own ids, which stay when one is renamed or moved. Signed deliveries contain the id.
  // `named_at`: deliveries overtake one another, and an older one must not bring an older name back.
  `create table repositories (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    provider text not null,
    base_url text,
    external_id text not null,
    owner text not null,
    name text not null,
    named_at timestamptz not null,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    constraint repositories_external unique nulls not distinct (organization_id, provider, base_url, external_id)
  )`,
  // A task is done once its pull request is merged into one of `done_branches`; null: the default branch.
  // `max_rounds`: how often failed checks of a change are sent to its agent; 0: never.
  // `gate_on_finish`: whether the gate runs once an agent reports its work as finished.
  // `repository_id` is null until a delivery of the project's repository has arrived.
  `create table projects (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    name text not null,
    slug text not null,
    repo_owner text not null,
    repo_name text not null,
    repo_url text not null,
    default_branch text not null,
    restore_points boolean not null default true,
    done_branches text[],
    max_rounds smallint not null default 2 check (max_rounds between 0 and 5),
    gate_on_finish boolean not null default false,
    repository_id uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint projects_slug unique (organization_id, slug),
    unique (organization_id, id),
    foreign key (organization_id, repository_id) references repositories (organization_id, id)
      on delete set null (repository_id)
  )`,
  "create index projects_repository on projects (organization_id, repository_id) where repository_id is not null",
  "create index projects_organization on projects (organization_id, created_at desc, id desc)",

  // `sealed` is AES-256-GCM with the row's identity as additional data: copied to another row it does not decrypt.
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

  // `config_bytes` bounds how much is read at a time, without reading the configs.
  `create table workspaces (
    id uuid primary key,
    organization_id uuid not null,
    project_id uuid not null,
    device_id uuid,
    name text not null,
    type text not null check (type in ('worktree', 'main')),
    config jsonb not null check (jsonb_typeof(config) = 'object'),
    config_bytes integer not null generated always as (octet_length(config::text)) stored,
    created_by uuid references users (id) on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, device_id) references devices (organization_id, id)
      on delete set null (device_id)
  )`,
  "create unique index workspaces_organization_id_id on workspaces (organization_id, id)",
  "create index workspaces_organization on workspaces (organization_id, created_at desc, id desc)",
  // A list of one type of workspaces does not read the other type.
  "create index workspaces_type on workspaces (organization_id, type, created_at desc, id desc)",
  "create index workspaces_project on workspaces (organization_id, project_id)",
  "create index workspaces_device on workspaces (organization_id, device_id)",
  "create index workspaces_created_by on workspaces (created_by)",

  // A device that still has a deleted workspace must not bring it back.
  `create table workspace_tombstones (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    deleted_at timestamptz not null default now()
  )`,
  "create index workspace_tombstones_organization on workspace_tombstones (organization_id)",
]);
