import type { AnalyticsEventTable } from "./analytics";
import type { ChatMessageTable, ChatSessionTable } from "./chat";
import type { AgentSessionOutputTable, AgentSessionTable, DeviceCommandTable, DeviceTable } from "./devices";
import type {
  IntegrationConnectionTable,
  IntegrationEventTable,
  IntegrationOAuthStateTable,
  IntegrationWebhookTable,
  TaskIssueTable,
} from "./integrations";
import type {
  ApiKeyTable,
  AuditEventTable,
  InvitationTable,
  MembershipTable,
  OrganizationEventCounterTable,
  OrganizationEventTable,
  OrganizationTable,
} from "./organizations";
import type { ProjectSecretTable, ProjectTable, WorkspaceTable, WorkspaceTombstoneTable } from "./projects";
import type { TaskStatusTable, TaskTable } from "./tasks";
import type { EmailTokenTable, OAuthAccountTable, OAuthStateTable, SessionTable, UserTable } from "./users";

export type * from "./analytics";
export type * from "./chat";
export type * from "./devices";
export type * from "./integrations";
export type * from "./organizations";
export type * from "./projects";
export type * from "./tasks";
export type * from "./users";

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
