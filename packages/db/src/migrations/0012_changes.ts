import { statements } from "./statements";

/** Changes, each a branch of a project that a workspace was made for, and the pull requests of repositories. */
export const up = statements([
  // A change stays when its workspace is deleted. `fork_commit`: where the branch began, as the device reported it.
  // `finished_at`, `summary`, `tests`: what an agent reported; cleared when the work continues. `gate_command_id`: the
  // command of the gate's last run, while it runs or once it has passed or failed. The statements of `gateCommands.ts`
  // set it. `gate_head`: the commit that it checked, or null. `gate_is_automatic`: it was started because an agent
  // finished. `gate_skipped`: why it did not run then. `gate_held_reason`: why its failure was left to a person. Until
  // then, it may be sent to an agent.
  `create table changes (
    id uuid primary key,
    organization_id uuid not null,
    project_id uuid not null,
    task_id uuid,
    workspace_id uuid,
    device_id uuid,
    branch text not null,
    base_branch text,
    fork_commit text,
    finished_at timestamptz,
    summary text,
    tests text[] not null default '{}',
    gate_command_id uuid,
    gate_state text check (gate_state in ('running', 'passed', 'failed')),
    gate_head text,
    gate_at timestamptz,
    gate_is_automatic boolean not null default false,
    gate_skipped text,
    gate_held_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, task_id) references tasks (organization_id, id) on delete set null (task_id),
    foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
      on delete set null (workspace_id),
    foreign key (organization_id, device_id) references devices (organization_id, id)
      on delete set null (device_id),
    check ((finished_at is null) = (summary is null)),
    check (num_nulls(gate_command_id, gate_state, gate_at) in (0, 3)),
    check (not gate_is_automatic or gate_command_id is not null),
    check (gate_held_reason is null or (gate_is_automatic and gate_state = 'failed'))
  )`,
  `create unique index changes_workspace on changes (organization_id, workspace_id)
    where workspace_id is not null`,
  "create index changes_organization on changes (organization_id, created_at desc, id desc)",
  "create index changes_task on changes (organization_id, task_id, created_at desc, id desc)",
  // A delivery finds the change of its branch.
  "create index changes_branch on changes (organization_id, project_id, branch)",
  "create index changes_device on changes (organization_id, device_id)",
  // For the organization's watchers.
  "create index changes_updated on changes (organization_id, updated_at)",
  `create index changes_gate on changes (organization_id, gate_command_id) where gate_command_id is not null`,
  `create index changes_failed_gate on changes (organization_id)
    where gate_state = 'failed' and gate_is_automatic and gate_held_reason is null`,
  `create index changes_outlived on changes (updated_at) where task_id is null and workspace_id is null`,

  // `head`: null for the branch of a fork, whose name anyone can choose.
  // `updated_at`: the code host's time, by which an older delivery is ignored.
  // `checks`, `mergeable`, `has_conflicts` and `is_queued` (in the code host's merge queue): as last read from the code
  // host, of the commit `checked_head`.
  // `held_checks_head`: the last commit whose failed checks were held back from agents, for a person to fix. People are
  // notified once of each.
  // `checks_reported_at`: when a delivery last reported checks that no read has included yet.
  // `done_at`: when its commits reached one of the project's done branches, perhaps with a later pull request.
  `create table pull_requests (
    id uuid primary key,
    organization_id uuid not null,
    repository_id uuid not null,
    number integer not null,
    change_id uuid,
    url text,
    state text not null check (state in ('open', 'draft', 'merged', 'closed')),
    head text,
    base text not null,
    checked_head text,
    checks text check (checks in ('none', 'running', 'failed', 'passed')),
    mergeable text check (mergeable in ('yes', 'no', 'checking', 'unknown')),
    has_conflicts boolean not null default false,
    is_queued boolean not null default false,
    held_checks_head text,
    held_checks_reason text,
    updated_at timestamptz not null,
    merged_at timestamptz,
    done_at timestamptz,
    poll_at timestamptz not null default now() + interval '2 minutes',
    checks_reported_at timestamptz,
    created_at timestamptz not null default now(),
    constraint pull_requests_number unique (organization_id, repository_id, number),
    foreign key (organization_id, repository_id) references repositories (organization_id, id) on delete cascade,
    foreign key (organization_id, change_id) references changes (organization_id, id)
      on delete set null (change_id),
    check ((state = 'merged') = (merged_at is not null)),
    check (num_nulls(checked_head, checks, mergeable) in (0, 3)),
    check ((held_checks_head is null) = (held_checks_reason is null))
  )`,
  "create index pull_requests_change on pull_requests (organization_id, change_id, number desc)",
  // A new change finds the pull requests of its branch, and a merge those that were merged into its branch before.
  "create index pull_requests_head on pull_requests (organization_id, repository_id, head)",
  `create index pull_requests_base on pull_requests (organization_id, repository_id, base)
    where state = 'merged'`,
  `create index pull_requests_poll on pull_requests (poll_at)
    where state in ('open', 'draft') and change_id is not null`,
  `create index pull_requests_open on pull_requests (organization_id, change_id)
    where state in ('open', 'draft') and change_id is not null`,
  "create index pull_requests_without_change on pull_requests (updated_at) where change_id is null",

  // A person's approval of merging one commit into one base. It is not valid for another commit or base.
  `create table approvals (
    organization_id uuid not null,
    change_id uuid not null,
    user_id uuid not null references users (id) on delete cascade,
    head text not null,
    base text not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, change_id, user_id),
    foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade
  )`,
  "create index approvals_user on approvals (user_id)",

  // A person's request to merge one approved commit once its checks have passed, or by the code host's queue.
  // `number`: of the pull request. `leased_until`: until then, one process merges; after that, the pull request is read
  // again. `queued_at`: when it was added to the queue. `reason`, `detail`: why it ended without a merge, and the code
  // host's message.
  `create table merge_intents (
    id uuid primary key,
    organization_id uuid not null,
    change_id uuid not null,
    number integer not null,
    head text not null,
    base text not null,
    method text not null check (method in ('merge', 'squash', 'rebase', 'queue')),
    requested_by uuid not null references users (id) on delete cascade,
    status text not null default 'waiting' check (status in ('waiting', 'running', 'queued', 'done', 'ended')),
    reason text,
    detail text,
    leased_until timestamptz,
    queued_at timestamptz,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz,
    unique (organization_id, id),
    foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade,
    check ((status = 'running') = (leased_until is not null)),
    check (status <> 'queued' or queued_at is not null),
    check ((status = 'ended') = (reason is not null)),
    check (detail is null or status = 'ended'),
    check ((status in ('done', 'ended')) = (ended_at is not null))
  )`,
  `create unique index merge_intents_active on merge_intents (organization_id, change_id)
    where status in ('waiting', 'running', 'queued')`,
  "create index merge_intents_change on merge_intents (organization_id, change_id, created_at desc)",
  "create index merge_intents_requested_by on merge_intents (requested_by)",
  "create index merge_intents_ended on merge_intents (ended_at)",
  `alter table notification_outbox add column merge_intent_id uuid,
    add foreign key (organization_id, merge_intent_id) references merge_intents (organization_id, id)
      on delete cascade`,
  "create index notification_outbox_merge_intent on notification_outbox (organization_id, merge_intent_id)",
]);
