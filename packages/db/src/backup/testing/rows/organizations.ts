import { at, id, organization, type SampleTable, text, user } from "./values";

/** Accounts, organizations, and what is recorded of their use. */
export const organizations: Record<string, SampleTable> = {
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
};
