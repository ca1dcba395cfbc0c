import type {
  AgentSessionStatus,
  ApiKeyScope,
  ChatRole,
  CommandError,
  CommandStatus,
  ConnectionStatus,
  IntegrationEventStatus,
  IntegrationKind,
  IntegrationProvider,
  OfflineReason,
  Platform,
  Role,
  TaskPriority,
  TaskStatusType,
  WorkspaceType,
} from "@grove/schemas";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** A time the database fills in when it is not given. */
type DefaultNow = ColumnType<Date, Date | undefined, Date>;
/** A jsonb column: read as an object, written as JSON text. */
type Json<T> = JSONColumnType<T & object>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

export interface UserTable {
  id: string;
  /** Lower-cased; unique. */
  email: string;
  name: string;
  image: string | null;
  /** argon2id in PHC form; null for accounts that only sign in through a provider. */
  password_hash: string | null;
  email_verified_at: Date | null;
  disabled_at: Date | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface SessionTable {
  /** SHA-256 of the secret, in hex. */
  id_hash: string;
  /** By which a session is listed and revoked. */
  id: string;
  user_id: string;
  expires_at: Date;
  created_at: DefaultNow;
  last_used_at: DefaultNow;
  ip: string | null;
  user_agent: string | null;
}

export interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  image: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface MembershipTable {
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: DefaultNow;
}

export interface InvitationTable {
  id: string;
  organization_id: string;
  /** Lower-cased. */
  email: string;
  role: Exclude<Role, "owner">;
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  invited_by: string | null;
  created_at: DefaultNow;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
}

/** What a mail's link carries; deleted by its use. */
export interface EmailTokenTable {
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  user_id: string;
  purpose: "verify_email" | "reset_password";
  /** Where it was mailed to: the address that its use proves. */
  email: string;
  created_at: DefaultNow;
  expires_at: Date;
}

export interface OAuthAccountTable {
  provider: "github";
  provider_user_id: string;
  user_id: string;
  created_at: DefaultNow;
}

/** A sign-in through a provider that is under way; deleted by its callback. */
export interface OAuthStateTable {
  /** SHA-256 of the state, in hex. */
  state_hash: string;
  /** SHA-256 of what the browser's cookie holds, in hex. */
  browser_hash: string;
  redirect_to: string | null;
  expires_at: Date;
}

export interface ApiKeyTable {
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  prefix: string;
  key_hash: string;
  scopes: ApiKeyScope[];
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_at: DefaultNow;
}

export interface ProjectTable {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  repo_owner: string;
  repo_name: string;
  repo_url: string;
  default_branch: string;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface WorkspaceTable {
  id: string;
  organization_id: string;
  project_id: string;
  device_id: string | null;
  name: string;
  type: WorkspaceType;
  config: Json<Record<string, unknown>>;
  created_by: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** Ids of deleted workspaces, so that a device cannot bring one back. */
export interface WorkspaceTombstoneTable {
  id: string;
  organization_id: string;
  deleted_at: DefaultNow;
}

export interface DeviceTable {
  id: string;
  organization_id: string;
  owner_id: string;
  name: string;
  platform: Platform;
  shared: Generated<boolean>;
  key_prefix: string;
  key_hash: string;
  agent_version: string | null;
  capabilities: Generated<string[]>;
  /** The journal that connected last. */
  journal_id: string | null;
  /** The journal it had before this one, and when that changed. */
  previous_journal_id: string | null;
  journal_changed_at: Date | null;
  /** Raised by each connect; a write that names an older one changes nothing. */
  epoch: Generated<number>;
  /** The presence lease: online while this lies in the future. */
  present_until: Date | null;
  last_seen_at: Date | null;
  /** Why the last stream ended, where that is known. */
  offline_reason: OfflineReason | null;
  revoked_at: Date | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface DeviceCommandTable {
  id: string;
  organization_id: string;
  device_id: string;
  tool: string;
  params: Json<Record<string, unknown>>;
  status: Generated<CommandStatus>;
  result: NullableJson<NonNullable<unknown>>;
  error: NullableJson<CommandError>;
  late_result: NullableJson<NonNullable<unknown>>;
  progress: NullableJson<{ message: string; fraction: number | null; at: string }>;
  requested_by: string | null;
  /** `session:<user id>` or `api_key:<key id>`: whose idempotency keys these are. */
  principal: string;
  idempotency_key: string | null;
  /** SHA-256 of what the key stands for: device, tool, params. */
  idempotency_hash: string | null;
  attempt: Generated<number>;
  /** The journal that claimed it: the fence. */
  journal_id: string | null;
  timeout_ms: number;
  queue_expires_at: Date;
  cancel_requested_at: Date | null;
  created_at: DefaultNow;
  claimed_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface AuditEventTable {
  id: string;
  organization_id: string;
  actor_id: string | null;
  actor_kind: "user" | "api_key" | "device" | "system";
  action: string;
  target_type: string;
  target_id: string;
  metadata: Json<Record<string, unknown>>;
  created_at: DefaultNow;
}

export interface ProjectSecretTable {
  organization_id: string;
  project_id: string;
  key: string;
  /** The value, sealed by the vault of @grove/auth. */
  sealed: string;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface AgentSessionTable {
  organization_id: string;
  /** Chosen by the device; unique in the organization. */
  id: string;
  device_id: string;
  workspace_id: string | null;
  task_id: string | null;
  agent: string;
  status: Generated<AgentSessionStatus>;
  exit_code: number | null;
  /** The device's journal that it began under. */
  journal_id: string | null;
  waiting_for_input: Generated<boolean>;
  /** Why it failed. */
  error: Json<CommandError> | null;
  started_by: string | null;
  /** The newest output chunk's. */
  last_sequence: Generated<number>;
  /** All output there was, also what is no longer kept. */
  output_bytes: Generated<string>;
  created_at: DefaultNow;
  ended_at: Date | null;
}

export interface AgentSessionOutputTable {
  organization_id: string;
  session_id: string;
  sequence: number;
  data: string;
  /** Where the chunk ends, counted from the session's first byte. */
  end_byte: string;
}

export interface OrganizationEventCounterTable {
  organization_id: string;
  /** A bigint: the sequence of the organization's newest event. */
  last_sequence: string;
}

/** What happened in an organization, in the order of commits; kept for 7 days. */
export interface OrganizationEventTable {
  organization_id: string;
  sequence: string;
  /** `task`, `chat:<session id>`, … */
  topic: string;
  payload: Json<Record<string, unknown>>;
  created_at: DefaultNow;
}

export interface TaskStatusTable {
  organization_id: string;
  key: string;
  name: string;
  type: TaskStatusType;
  color: string;
  /** From 0 on, without gaps. */
  position: number;
}

export interface TaskTable {
  id: string;
  organization_id: string;
  slug: string;
  title: string;
  description: string | null;
  /** Title and description, folded: what a search looks in. */
  search_text: string;
  /** A key of task_statuses. */
  status: string;
  priority: TaskPriority;
  assignee_id: string | null;
  creator_id: string | null;
  project_id: string | null;
  labels: string[];
  /** A calendar day: `2026-11-21`. */
  due_date: string | null;
  estimate: number | null;
  branch: string | null;
  pr_url: string | null;
  external_url: string | null;
  started_at: Date | null;
  completed_at: Date | null;
  /** Kept for 30 days from then on. */
  deleted_at: Date | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface ChatSessionTable {
  id: string;
  organization_id: string;
  title: string;
  workspace_id: string | null;
  /** The agent that its messages are typed to. */
  agent_session_id: string | null;
  created_by: string | null;
  last_active_at: DefaultNow;
  created_at: DefaultNow;
}

export interface ChatMessageTable {
  id: string;
  organization_id: string;
  session_id: string;
  role: ChatRole;
  author_id: string | null;
  text: string;
  created_at: DefaultNow;
}

export interface AnalyticsEventTable {
  id: string;
  /** Null for an event of no organization. */
  organization_id: string | null;
  user_id: string | null;
  event: string;
  properties: Json<Record<string, unknown>>;
  occurred_at: DefaultNow;
  received_at: DefaultNow;
}

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
  refreshing_until: Date | null;
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
  issue_updated_at: Date;
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
  expires_at: Date;
}

/** Every table; compared with the migrated database by a test. */
export interface Database {
  users: UserTable;
  sessions: SessionTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  email_tokens: EmailTokenTable;
  oauth_accounts: OAuthAccountTable;
  oauth_states: OAuthStateTable;
  api_keys: ApiKeyTable;
  projects: ProjectTable;
  workspaces: WorkspaceTable;
  workspace_tombstones: WorkspaceTombstoneTable;
  devices: DeviceTable;
  device_commands: DeviceCommandTable;
  audit_events: AuditEventTable;
  project_secrets: ProjectSecretTable;
  agent_sessions: AgentSessionTable;
  agent_session_output: AgentSessionOutputTable;
  organization_event_counters: OrganizationEventCounterTable;
  organization_events: OrganizationEventTable;
  task_statuses: TaskStatusTable;
  tasks: TaskTable;
  chat_sessions: ChatSessionTable;
  chat_messages: ChatMessageTable;
  analytics_events: AnalyticsEventTable;
  integration_connections: IntegrationConnectionTable;
  integration_webhooks: IntegrationWebhookTable;
  integration_events: IntegrationEventTable;
  task_issues: TaskIssueTable;
  integration_oauth_states: IntegrationOAuthStateTable;
}
