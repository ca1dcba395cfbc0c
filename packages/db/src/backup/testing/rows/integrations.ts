import { at, id, organization, type SampleTable } from "./values";

/** Connections to providers, and what they deliver. */
export const integrations: Record<string, SampleTable> = {
  integration_connections: {
    share: 0,
    columns: "id, organization_id, kind, provider, account_id, account_name, scopes, sealed",
    select: `${id("'connection' || n % 3")}, ${organization("n")}, 'codehost', 'github', 'a', 'a', '{repo,read:user}', '1.c2VhbGVk'`,
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
  integration_oauth_states: {
    share: 0,
    columns: "state_hash, session_id, organization_id, provider, sealed_verifier, expires_at",
    select: `'a' || n, ${id("'session' || n")}, ${organization("n")}, 'github', '1.c2VhbGVk', '2099-01-01'`,
  },
  task_issues: {
    share: 0,
    columns: "organization_id, task_id, connection_id, issue_id, issue_updated_at",
    select: `${organization("n")}, ${id("'task' || n")}, ${id("'connection' || n % 3")}, n, ${at("n")}`,
  },
};
