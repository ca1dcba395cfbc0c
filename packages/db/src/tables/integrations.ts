import type {
  ConnectionStatus,
  IntegrationEventStatus,
  IntegrationKind,
  IntegrationProvider,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, NullableTimestamp, Timestamp } from "./columns";

export interface IntegrationConnectionTable {
  id: string;
  organization_id: string;
  kind: IntegrationKind;
  provider: IntegrationProvider;
  /** Of a self-hosted provider; null for where everyone finds it. */
  base_url: string | null;
  /** The provider's own id of whom the credentials belong to. */
  account_id: string;
  account_name: string;
  status: Generated<ConnectionStatus>;
  /** The credentials, by packages/auth's Vault. */
  sealed: string;
  /** Until then somebody asks the provider for new tokens. */
  refreshing_until: NullableTimestamp;
  created_by: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface IntegrationWebhookTable {
  /** In the address that the provider delivers to. */
  id: string;
  organization_id: string;
  connection_id: string;
  /** The provider's own; null until it has made it. */
  external_id: string | null;
  /** Null for a tracker's. */
  repo_owner: string | null;
  repo_name: string | null;
  events: string[];
  /** The secret that deliveries are signed with. */
  sealed: string;
  created_at: DefaultNow;
}

/** Deliveries: a queue, and the record of it. */
export interface IntegrationEventTable {
  id: string;
  organization_id: string;
  /** Null once it has ended. */
  connection_id: string | null;
  webhook_id: string | null;
  provider: IntegrationProvider;
  delivery_id: string;
  /** SHA-256, in hex. */
  body_hash: string;
  type: string;
  repo: string | null;
  /** The body, as it came. */
  payload: string;
  status: Generated<IntegrationEventStatus>;
  attempts: Generated<number>;
  /** When it is to be tried (again). */
  run_at: DefaultNow;
  last_error: string | null;
  created_at: DefaultNow;
}

/** Issues of a tracker that tasks were made of. */
export interface TaskIssueTable {
  organization_id: string;
  task_id: string;
  connection_id: string;
  /** The provider's own. */
  issue_id: string;
  issue_updated_at: Timestamp;
  created_at: DefaultNow;
}

export interface IntegrationOAuthStateTable {
  /** SHA-256 of what the provider hands back, in hex. */
  state_hash: string;
  /** The session that began it, by its public id. */
  session_id: string;
  organization_id: string;
  provider: IntegrationProvider;
  sealed_verifier: string;
  expires_at: Timestamp;
}
