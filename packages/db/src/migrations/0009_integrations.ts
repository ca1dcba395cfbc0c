import { statements } from "./statements";

/** Connections to external systems, their webhooks and deliveries, and the issues that tasks were made from. */
export const up = statements([
  // `sealed` is AES-256-GCM with the row's identity as additional data: copied to another row it does not decrypt.
  // Connecting the same account again renews the row.
  // `refreshing_until` is a lease: its holder asks the provider for new tokens, without an open transaction.
  `create table integration_connections (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    kind text not null check (kind in ('codehost', 'tracker', 'messenger')),
    provider text not null,
    base_url text,
    account_id text not null,
    account_name text not null,
    scopes text[],
    status text not null default 'connected' check (status in ('connected', 'reconnect_required')),
    sealed text not null,
    refreshing_until timestamptz,
    created_by uuid references users (id) on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, id),
    constraint integration_connections_account
      unique nulls not distinct (organization_id, provider, base_url, account_id)
  )`,
  "create index integration_connections_created_by on integration_connections (created_by)",

  // The webhook of a tracker has no repository.
  // Refused deliveries are counted: nothing else shows that one was lost.
  `create table integration_webhooks (
    id uuid primary key,
    organization_id uuid not null,
    connection_id uuid not null,
    external_id text,
    repo_owner text,
    repo_name text,
    repository_id uuid,
    events text[] not null,
    sealed text not null,
    refused_count integer not null default 0,
    refused_at timestamptz,
    refused_reason text,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, connection_id) references integration_connections (organization_id, id)
      on delete cascade,
    foreign key (organization_id, repository_id) references repositories (organization_id, id)
      on delete set null (repository_id)
  )`,
  "create index integration_webhooks_repository on integration_webhooks (organization_id, repository_id)",
  `create index integration_webhooks_connection
    on integration_webhooks (organization_id, connection_id, created_at desc, id desc)`,

  // A delivery is accepted once, by its id and also by its body, because the id is not signed.
  // Deliveries stay when their connection is deleted, for people to read.
  // `payload` is null for a delivery that implies no change. Otherwise it is the body as it came: jsonb accepts neither
  // NUL nor half of a surrogate pair, and JSON may have both.
  `create table integration_events (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    connection_id uuid,
    webhook_id uuid,
    provider text not null,
    delivery_id text not null,
    body_hash text not null,
    type text not null,
    repo text,
    payload text,
    status text not null default 'pending' check (status in ('pending', 'processed', 'dead')),
    attempts integer not null default 0,
    run_at timestamptz not null default now(),
    last_error text,
    created_at timestamptz not null default now(),
    constraint integration_events_delivery unique (webhook_id, delivery_id),
    constraint integration_events_body unique (webhook_id, body_hash),
    foreign key (organization_id, connection_id) references integration_connections (organization_id, id)
      on delete set null (connection_id),
    foreign key (organization_id, webhook_id) references integration_webhooks (organization_id, id)
      on delete set null (webhook_id)
  )`,
  `create index integration_events_organization
    on integration_events (organization_id, created_at desc, id desc)`,
  // For the last delivery of a webhook.
  `create index integration_events_webhook
    on integration_events (organization_id, webhook_id, created_at desc, id desc)`,
  "create index integration_events_connection on integration_events (organization_id, connection_id)",
  "create index integration_events_pending on integration_events (run_at, id) where status = 'pending'",
  // Metrics count these.
  "create index integration_events_dead on integration_events (id) where status = 'dead'",
  "create index integration_events_created_at on integration_events (created_at)",

  // Deliveries may overtake one another. By `issue_updated_at` an older state of the issue is ignored.
  `create table task_issues (
    organization_id uuid not null,
    task_id uuid not null,
    connection_id uuid not null,
    issue_id text not null,
    issue_updated_at timestamptz not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, connection_id, issue_id),
    constraint task_issues_task unique (organization_id, task_id),
    foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
    foreign key (organization_id, connection_id) references integration_connections (organization_id, id)
      on delete cascade
  )`,

  // The session that begins an authorization finishes it, once. The sealed verifier is PKCE's (RFC 7636).
  `create table integration_oauth_states (
    state_hash text primary key,
    session_id uuid not null,
    organization_id uuid not null references organizations (id) on delete cascade,
    provider text not null,
    sealed_verifier text not null,
    expires_at timestamptz not null
  )`,
  "create index integration_oauth_states_expires_at on integration_oauth_states (expires_at)",
  "create index integration_oauth_states_organization on integration_oauth_states (organization_id)",
]);
