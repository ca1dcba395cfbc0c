import type {
  ConnectionStatus,
  IntegrationEventStatus,
  IntegrationKind,
  IntegrationProvider,
  RefusedDeliveryReason,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, NullableTimestamp, Timestamp } from "./columns";

export interface IntegrationConnectionTable {
  id: string;
  organization_id: string;
  kind: IntegrationKind;
  provider: IntegrationProvider;
  /** The address of a self-hosted provider; null for the provider's public service. */
  base_url: string | null;
  /** The provider's own id of the account that the credentials belong to. */
  account_id: string;
  account_name: string;
  /** As of the last connect; null if the provider does not state them. */
  scopes: string[] | null;
  status: Generated<ConnectionStatus>;
  /** The credentials, sealed by packages/auth's Vault. */
  sealed: string;
  /** The end of the lease of the process that is requesting new tokens. */
  refreshing_until: NullableTimestamp;
  created_by: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** Repositories of code hosts, by the host's own ids. */
export interface RepositoryTable {
  id: string;
  organization_id: string;
  provider: IntegrationProvider;
  /** As in {@link IntegrationConnectionTable}. */
  base_url: string | null;
  /** The provider's own id. */
  external_id: string;
  owner: string;
  name: string;
  /** When it had this name, as far as the provider has stated it. */
  named_at: Timestamp;
  created_at: DefaultNow;
}

export interface IntegrationWebhookTable {
  /** Part of the address that the provider delivers to. */
  id: string;
  organization_id: string;
  connection_id: string;
  /** The provider's own id; null until the provider has made the webhook. */
  external_id: string | null;
  /** Null for a tracker's webhook. */
  repo_owner: string | null;
  repo_name: string | null;
  /** Null until it has delivered the repository's id. */
  repository_id: string | null;
  events: string[];
  /** The secret that deliveries are signed with. */
  sealed: string;
  /** How many deliveries were refused. */
  refused_count: Generated<number>;
  /** When, and why, the newest of them was refused. */
  refused_at: NullableTimestamp;
  refused_reason: RefusedDeliveryReason | null;
  created_at: DefaultNow;
}

/** Deliveries: a queue, and its record. */
export interface IntegrationEventTable {
  id: string;
  organization_id: string;
  /** Null once the connection has ended. */
  connection_id: string | null;
  webhook_id: string | null;
  provider: IntegrationProvider;
  delivery_id: string;
  /** SHA-256, in hex. */
  body_hash: string;
  type: string;
  repo: string | null;
  /** The body as it arrived; null for a delivery that implies no change. */
  payload: string | null;
  status: Generated<IntegrationEventStatus>;
  attempts: Generated<number>;
  /** The time of the next attempt. */
  run_at: DefaultNow;
  last_error: string | null;
  created_at: DefaultNow;
}

/** A tracker's issues that tasks were made from. */
export interface TaskIssueTable {
  organization_id: string;
  task_id: string;
  connection_id: string;
  /** The provider's own id. */
  issue_id: string;
  issue_updated_at: Timestamp;
  created_at: DefaultNow;
}

export interface IntegrationOAuthStateTable {
  /** SHA-256 of the state that the provider returns, in hex. */
  state_hash: string;
  /** The session that began it, by its public id. */
  session_id: string;
  organization_id: string;
  provider: IntegrationProvider;
  sealed_verifier: string;
  expires_at: Timestamp;
}
