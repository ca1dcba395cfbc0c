import { type Kysely, sql } from "kysely";
import type { Database } from "../../tables";

/** The same id for the same text, so that every run writes the same rows. */
const id = (words: string) => `md5(${words})::uuid`;
const organization = (n: string) => id(`'organization' || ${n} % 3`);
const user = (n: string) => id(`'user' || ${n} % 20`);
const device = (n: string) => id(`'device' || ${n} % 3 || ' ' || ${n} % 30`);
const at = (n: string) =>
  `'2026-01-02 03:04:05.678901+00'::timestamptz + (${n}) * interval '1.000001 second'`;
/** Characters that need escaping in text formats. */
const text = (n: string) => `'Überraschung "' || ${n} || E'" \\\\ {1,2} \\n\\t 🌳 null'`;

/** For each table its rows as a select from `n`, and how many of a thousand rows are this table's. */
const rows: Record<string, { share: number; columns: string; select: string }> = {
  users: {
    share: 0,
    columns: "id, email, name, image, password_hash, created_at",
    select: `${user("n")}, 'user' || n || '@example.com', ${text("n")}, null, 'hash', ${at("n")}`,
  },
  sessions: {
    share: 0,
    columns: "id_hash, id, user_id, expires_at",
    select: `'s' || n, ${id("'session' || n")}, ${user("n")}, '2099-01-01'`,
  },
  email_tokens: {
    share: 0,
    columns: "token_hash, user_id, purpose, email, expires_at",
    select: `'t' || n, ${user("n")}, 'verify_email', 'a@example.com', 'infinity'`,
  },
  oauth_accounts: {
    share: 0,
    columns: "provider, provider_user_id, user_id",
    select: `'github', n, ${user("n")}`,
  },
  oauth_states: {
    share: 0,
    columns: "state_hash, browser_hash, expires_at",
    select: "'o' || n, 'b', '2099-01-01'",
  },
  organizations: {
    share: 0,
    columns: "id, name, slug",
    select: `${organization("n")}, ${text("n")}, 'organization-' || n`,
  },
  memberships: {
    share: 0,
    columns: "organization_id, user_id, role",
    select: `${organization("n")}, ${user("n")}, 'owner'`,
  },
  api_keys: {
    share: 0,
    columns: "id, organization_id, user_id, name, prefix, key_hash, scopes",
    select: `${id("'key' || n")}, ${organization("n")}, ${user("n")}, 'key', 'grk', 'k' || n, '{read,write}'`,
  },
  invitations: {
    share: 0,
    columns: "id, organization_id, email, role, token_hash, expires_at",
    select: `${id("'invitation' || n")}, ${organization("n")}, n || '@example.com', 'member', 'i' || n, '2099-01-01'`,
  },
  audit_events: {
    share: 50,
    columns:
      "id, organization_id, actor_id, actor_kind, action, target_type, target_id, metadata, created_at",
    select: `${id("'audit' || n")}, ${organization("n")}, ${user("n")}, 'user', 'task.update', 'task', n, jsonb_build_object('n', n), ${at("n")}`,
  },
  organization_event_counters: {
    share: 0,
    columns: "organization_id, last_sequence",
    select: `${organization("n")}, 9007199254740993 + n`,
  },
  organization_events: {
    share: 150,
    columns: "organization_id, sequence, topic, payload, created_at",
    select: `${organization("n")}, n, 'task', jsonb_build_object('id', n, 'title', ${text("n")}), ${at("n")}`,
  },
  devices: {
    share: 0,
    columns: "id, organization_id, owner_id, name, platform, key_prefix, key_hash, capabilities",
    select: `${device("n")}, ${organization("n")}, ${user("n")}, ${text("n")}, 'linux', 'grd', 'd' || n, array['git', 'a "quoted", one']`,
  },
  device_pairings: {
    share: 0,
    columns: "secret_hash, organization_id, approved_by, device_id, expires_at",
    select: `'p' || n, ${organization("n")}, ${user("n")}, ${device("n")}, '2099-01-01'`,
  },
  device_commands: {
    share: 250,
    columns:
      "id, organization_id, device_id, tool, params, status, result, principal, timeout_ms, queue_expires_at, created_at, finished_at",
    select: `${id("'command' || n")}, ${organization("n")}, ${device("n")}, 'list_projects', '{}', 'succeeded', case n % 3 when 0 then null when 1 then 'null'::jsonb else jsonb_build_object('n', n, 'ratio', 0.1) end, 'user ' || n % 20, 30000, '2099-01-01', ${at("n")}, ${at("n + 1")}`,
  },
  command_keys: {
    share: 0,
    columns: "organization_id, principal, key, command_id",
    select: `${organization("n")}, 'user ' || n % 20, ${text("n")}, ${id("'command' || n")}`,
  },
  repositories: {
    share: 0,
    columns: "id, organization_id, provider, external_id, owner, name, named_at",
    select: `${id("'repository' || n")}, ${organization("n")}, 'github', n, 'a', 'b', ${at("n")}`,
  },
  projects: {
    share: 0,
    columns: "id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch",
    select: `${id("'project' || n % 3")}, ${organization("n")}, ${text("n")}, 'project', 'a', 'b', 'https://example.com/a/b', 'main'`,
  },
  project_secrets: {
    share: 0,
    columns: "organization_id, project_id, key, sealed",
    select: `${organization("n")}, ${id("'project' || n % 3")}, 'TOKEN', '1.c2VhbGVk'`,
  },
  workspaces: {
    share: 0,
    columns: "id, organization_id, project_id, device_id, name, type, config, created_by",
    select: `${id("'workspace' || n % 3")}, ${organization("n")}, ${id("'project' || n % 3")}, ${device("n")}, 'w', 'worktree', '{"path": "/a"}', ${user("n")}`,
  },
  workspace_tombstones: {
    share: 0,
    columns: "id, organization_id",
    select: `${id("'tombstone' || n")}, ${organization("n")}`,
  },
  task_statuses: {
    share: 0,
    columns: "organization_id, key, name, type, color, position",
    select: `${organization("n")}, 'backlog', 'Backlog', 'backlog', '#888888', 0`,
  },
  tasks: {
    share: 50,
    columns:
      "id, organization_id, slug, title, description, search_text, status, priority, creator_id, project_id, labels, due_date, created_at",
    select: `${id("'task' || n")}, ${organization("n")}, 'T-' || n, 'Task ' || n, repeat('what is to be done ', 8), 'task ' || n || repeat(' what is to be done', 8), 'backlog', 'high', ${user("n")}, ${id("'project' || n % 3")}, array['bug', ''], '2026-02-28', ${at("n")}`,
  },
  task_activity: {
    share: 0,
    columns: "id, organization_id, task_id, kind, actor_kind, actor_id, body, changes, created_at",
    select: `${id("'activity' || n")}, ${organization("n")}, ${id("'task' || n")}, case n % 2 when 0 then 'comment' else 'change' end, 'user', ${user("n")}, case n % 2 when 0 then ${text("n")} end, case n % 2 when 1 then '{"status":{"from":"a","to":"b"}}'::jsonb end, ${at("n")}`,
  },
  agent_sessions: {
    share: 0,
    columns: "organization_id, id, device_id, workspace_id, agent, status, created_at, ended_at",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, ${device("n")}, ${id("'workspace' || n % 3")}, 'claude', 'exited', ${at("n")}, ${at("n + 1")}`,
  },
  agent_session_output: {
    share: 130,
    columns: "organization_id, session_id, sequence, data, end_byte",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, n, ${text("n")} || repeat('output ', 30), n`,
  },
  agent_requests: {
    share: 0,
    columns:
      "organization_id, id, session_id, device_id, kind, tool, title, input, is_answerable, scopes, created_at, expires_at, status, settled_at",
    select: `${organization("n")}, ${id("'request' || n")}, ${id("'agent' || n % 3")}, ${device("n")}, 'permission', 'Bash', ${text("n")}, ${text("n")}, true, '{once}', ${at("n")}, ${at("n + 1")}, 'withdrawn', ${at("n")}`,
  },
  request_marks: {
    share: 0,
    columns: "organization_id, request_id, user_id, until",
    select: `${organization("n")}, ${id("'request' || n")}, ${user("n")}, ${at("n")}`,
  },
  session_marks: {
    share: 0,
    columns: "organization_id, session_id, user_id, seen",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, ${user("n")}, ${at("n")}`,
  },
  chat_sessions: {
    share: 0,
    columns: "id, organization_id, title, created_by",
    select: `${id("'chat' || n % 3")}, ${organization("n")}, ${text("n")}, ${user("n")}`,
  },
  chat_messages: {
    share: 50,
    columns: "id, organization_id, session_id, role, author_id, text, created_at",
    select: `${id("'message' || n")}, ${organization("n")}, ${id("'chat' || n % 3")}, 'user', ${user("n")}, ${text("n")}, ${at("n")}`,
  },
  analytics_events: {
    share: 300,
    columns: "id, organization_id, user_id, event, properties, occurred_at",
    select: `${id("'event' || n")}, case when n % 10 > 0 then ${organization("n")} end, ${user("n")}, 'opened', jsonb_build_object('screen', n), ${at("n")}`,
  },
  analytics_rollups: {
    share: 0,
    columns: "organization_id, span, start, event, received_before, count, users",
    select: `case when n > 0 then ${organization("n")} end, 'day', '2026-02-28', nullif('opened ' || n, 'opened 1'), '2026-03-01', n, 1`,
  },
  analytics_rolled_up: { share: 0, columns: "received_before", select: at("n") },
  integration_connections: {
    share: 0,
    columns: "id, organization_id, kind, provider, account_id, account_name, sealed",
    select: `${id("'connection' || n % 3")}, ${organization("n")}, 'codehost', 'github', 'a', 'a', '1.c2VhbGVk'`,
  },
  integration_webhooks: {
    share: 0,
    columns: "id, organization_id, connection_id, events, sealed",
    select: `${id("'webhook' || n % 3")}, ${organization("n")}, ${id("'connection' || n % 3")}, '{}', '1.c2VhbGVk'`,
  },
  integration_events: {
    share: 20,
    columns:
      "id, organization_id, connection_id, webhook_id, provider, delivery_id, body_hash, type, payload, status, created_at",
    select: `${id("'delivery' || n")}, ${organization("n")}, ${id("'connection' || n % 3")}, ${id("'webhook' || n % 3")}, 'github', n, n, 'push', '{"half":"\\ud83c"}' || repeat('x', 500), 'processed', ${at("n")}`,
  },
  task_issues: {
    share: 0,
    columns: "organization_id, task_id, connection_id, issue_id, issue_updated_at",
    select: `${organization("n")}, ${id("'task' || n")}, ${id("'connection' || n % 3")}, n, ${at("n")}`,
  },
  changes: {
    share: 0,
    columns:
      "id, organization_id, project_id, task_id, device_id, branch, base_branch, fork_commit, finished_at, summary, tests, gate_command_id, gate_state, gate_head, gate_at",
    select: `${id("'change' || n")}, ${organization("n")}, ${id("'project' || n % 3")}, ${id("'task' || n")}, ${device("n")}, ${text("n")}, 'main', repeat('a', 40), ${at("n")}, ${text("n")}, array['unit', 'e2e'], ${id("'command' || n")}, 'passed', repeat('a', 40), ${at("n")}`,
  },
  pull_requests: {
    share: 0,
    columns:
      "id, organization_id, repository_id, number, change_id, url, state, head, base, checked_head, checks, mergeable, updated_at, merged_at",
    select: `${id("'pull' || n")}, ${organization("n")}, ${id("'repository' || n")}, n, ${id("'change' || n")}, 'https://example.com/a/b/1', 'merged', ${text("n")}, 'main', repeat('a', 40), 'passed', 'no', ${at("n")}, ${at("n")}`,
  },
  review_rounds: {
    share: 0,
    columns: "id, organization_id, change_id, number, by_user_id, session_id, command_id",
    select: `${id("'round' || n")}, ${organization("n")}, ${id("'change' || n")}, 1, ${user("n")}, ${id("'session' || n")}, ${id("'command' || n")}`,
  },
  review_comments: {
    share: 0,
    columns:
      "id, organization_id, change_id, author_id, body, anchor, state, round_id, claim, claim_commit, claim_body, claimed_at",
    select: `${id("'review' || n")}, ${organization("n")}, ${id("'change' || n")}, ${user("n")}, ${text("n")}, '{"path":"a"}', 'sent', ${id("'round' || n")}, 'fixed', repeat('b', 40), ${text("n")}, ${at("n")}`,
  },
  review_marks: {
    share: 0,
    columns: "organization_id, change_id, user_id, point, marked_at",
    select: `${organization("n")}, ${id("'change' || n")}, ${user("n")}, repeat('a', 40), ${at("n")}`,
  },
  approvals: {
    share: 0,
    columns: "organization_id, change_id, user_id, head, base",
    select: `${organization("n")}, ${id("'change' || n")}, ${user("n")}, repeat('a', 40), 'main'`,
  },
  merge_intents: {
    share: 0,
    columns:
      "id, organization_id, change_id, number, head, base, method, by_user, status, created_at, expires_at, ended_at",
    select: `${id("'intent' || n")}, ${organization("n")}, ${id("'change' || n")}, n, repeat('a', 40), 'main', 'squash', ${user("n")}, 'done', ${at("n")}, ${at("n")}, ${at("n")}`,
  },
  integration_oauth_states: {
    share: 0,
    columns: "state_hash, session_id, organization_id, provider, sealed_verifier, expires_at",
    select: `'a' || n, ${id("'session' || n")}, ${organization("n")}, 'github', '1.c2VhbGVk', '2099-01-01'`,
  },
  push_keys: { share: 0, columns: "public_key, sealed", select: "'k', '1.c2VhbGVk'" },
  push_subscriptions: {
    share: 0,
    columns: "id, user_id, session_id, endpoint_hash, sealed, label",
    select: `${id("'push' || n")}, ${user("n")}, ${id("'session' || n")}, 'h' || n, '1.c2VhbGVk', ${text("n")}`,
  },
  notification_rules: {
    share: 0,
    columns:
      "organization_id, id, user_id, channel, sealed, target, kinds, scope, project_ids, quiet_from, quiet_to, time_zone",
    select: `${organization("n")}, ${id("'rule' || n % 3")}, ${user("n")}, 'ntfy', '1.c2VhbGVk', 'ntfy.sh', '{asks,done}', 'projects', array[${id("'project' || n % 3")}], '22:30', '07:00:01.5', 'Europe/Vienna'`,
  },
  notification_outbox: {
    share: 0,
    columns:
      "organization_id, id, user_id, rule_id, channel, kind, session_id, request_id, merge_intent_id, dedupe, state, created_at",
    select: `${organization("n")}, ${id("'notification' || n")}, ${user("n")}, ${id("'rule' || n % 3")}, 'ntfy', 'asks', ${id("'agent' || n % 3")}, ${id("'request' || n")}, ${id("'intent' || n")}, 'd' || n, 'sent', ${at("n")}`,
  },
  user_presence: { share: 0, columns: "user_id, until", select: `${user("n")}, ${at("n")}` },
};

/** The fixed row counts of small tables. */
const fixedCounts: Record<string, number> = {
  users: 20,
  sessions: 20,
  devices: 30,
  memberships: 3,
  push_keys: 1,
};
const DEFAULT_COUNT = 3;
const SLICE = 2_000;

/**
 * Inserts about `total` rows into an empty database, some into every table, the same ones in each run. For tests and
 * benchmarks. The values cover what a copy easily loses: microseconds, quotes, and both SQL's and JSON's null.
 */
export async function insertSampleRows(db: Kysely<Database>, total: number): Promise<void> {
  for (const [table, { share, columns, select }] of Object.entries(rows)) {
    const count =
      share === 0
        ? (fixedCounts[table] ?? DEFAULT_COUNT)
        : Math.max(DEFAULT_COUNT, Math.round((total * share) / 1000));
    // In slices, since a statement may not take long.
    for (let from = 0; from < count; from += SLICE)
      await sql`insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(select)}
        from generate_series(${sql.lit(from)}::int, ${sql.lit(Math.min(count, from + SLICE) - 1)}) as n`.execute(
        db,
      );
  }
}
