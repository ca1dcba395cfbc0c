import { statements } from "./statements";

/** Review comments on the lines of a change, the rounds in which an agent gets them, and marks. */
export const up = statements([
  // `sent_by`: null for failures, which Grove sends by itself, once for each `head`. `checks`: of the code host.
  // `gate`: of the repository's check script. `fingerprint`: a hash by which the same failure of another commit is
  // recognized. `command_id`: no reference, since commands are deleted before changes. `status`: as last read from the
  // command.
  `create table review_rounds (
    id uuid primary key,
    organization_id uuid not null,
    change_id uuid not null,
    number integer not null,
    kind text not null default 'review' check (kind in ('review', 'checks', 'gate')),
    head text,
    fingerprint text,
    sent_by uuid references users (id) on delete set null,
    session_id uuid not null,
    command_id uuid not null,
    status text not null default 'queued' check (status in ('queued', 'delivered', 'failed', 'unknown')),
    reason text,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    unique (organization_id, change_id, number),
    unique (organization_id, change_id, kind, head),
    check ((kind = 'review') = (head is null)),
    check ((kind = 'review') = (fingerprint is null)),
    foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade
  )`,
  "create index review_rounds_sent_by on review_rounds (sent_by)",

  // `anchor`: a commit, a path and line numbers, never the lines. `answer_state`: of an agent's newest answer.
  `create table review_comments (
    id uuid primary key,
    organization_id uuid not null,
    change_id uuid not null,
    author_id uuid references users (id) on delete set null,
    body text not null,
    anchor jsonb not null,
    state text not null default 'draft' check (state in ('draft', 'sent', 'resolved')),
    round_id uuid,
    answer_state text check (answer_state in ('fixed', 'declined', 'question')),
    answer_commit text,
    answer_body text,
    answered_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade,
    foreign key (organization_id, round_id) references review_rounds (organization_id, id),
    check ((state = 'draft') = (round_id is null)),
    check (answer_state is null or state <> 'draft'),
    check (num_nulls(answer_state, answer_body, answered_at) in (0, 3)),
    check (answer_commit is null or answer_state = 'fixed')
  )`,
  "create index review_comments_change on review_comments (organization_id, change_id, created_at, id)",
  "create index review_comments_round on review_comments (organization_id, round_id)",
  "create index review_comments_author on review_comments (author_id)",
  // For the organization's watchers.
  "create index review_comments_updated on review_comments (organization_id, updated_at)",
  "create index review_comments_drafts on review_comments (updated_at) where state = 'draft'",

  // The version that each person has seen of a change, as the commit of a restore point on its device.
  `create table review_marks (
    organization_id uuid not null,
    change_id uuid not null,
    user_id uuid not null references users (id) on delete cascade,
    point text not null,
    marked_at timestamptz not null default now(),
    primary key (organization_id, change_id, user_id),
    foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade
  )`,
  "create index review_marks_user on review_marks (user_id)",
  "create index review_marks_marked on review_marks (marked_at)",
]);
