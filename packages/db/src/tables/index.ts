import type {
  AgentRequestTable,
  AgentSessionOutputTable,
  AgentSessionTable,
  RequestMarkTable,
  SessionMarkTable,
} from "./agentSessions";
import type {
  AnalyticsEventTable,
  AnalyticsRolledUpTable,
  AnalyticsRollupTable,
  AnalyticsSeenTable,
} from "./analytics";
import type { ApprovalTable, ChangeTable, PullRequestTable } from "./changes";
import type { ChatMessageTable, ChatSessionTable } from "./chat";
import type { CommandKeyTable, DeviceCommandTable, DevicePairingTable, DeviceTable } from "./devices";
import type { ApiInstanceTable, MaintenanceTable } from "./instances";
import type {
  IntegrationConnectionTable,
  IntegrationEventTable,
  IntegrationOAuthStateTable,
  IntegrationWebhookTable,
  RepositoryTable,
  TaskIssueTable,
} from "./integrations";
import type {
  NotificationOutboxTable,
  NotificationRuleTable,
  PushKeyTable,
  PushSubscriptionTable,
  UserPresenceTable,
} from "./notifications";
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
import type { ReviewCommentTable, ReviewMarkTable, ReviewRoundTable } from "./reviews";
import type { TaskActivityTable, TaskStatusTable, TaskTable } from "./tasks";
import type { EmailTokenTable, OAuthAccountTable, OAuthStateTable, SessionTable, UserTable } from "./users";

export type * from "./agentSessions";
export type * from "./analytics";
export type * from "./changes";
export type * from "./chat";
export type * from "./devices";
export type * from "./instances";
export type * from "./integrations";
export type * from "./notifications";
export type * from "./organizations";
export type * from "./projects";
export type * from "./reviews";
export type * from "./tasks";
export type * from "./users";

/** Every table. A test compares them with the migrated database. */
export interface Database {
  users: UserTable;
  sessions: SessionTable;
  email_tokens: EmailTokenTable;
  oauth_accounts: OAuthAccountTable;
  oauth_states: OAuthStateTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  api_keys: ApiKeyTable;
  invitations: InvitationTable;
  audit_events: AuditEventTable;
  organization_event_counters: OrganizationEventCounterTable;
  organization_events: OrganizationEventTable;
  api_instances: ApiInstanceTable;
  maintenance: MaintenanceTable;
  devices: DeviceTable;
  device_pairings: DevicePairingTable;
  device_commands: DeviceCommandTable;
  command_keys: CommandKeyTable;
  projects: ProjectTable;
  project_secrets: ProjectSecretTable;
  workspaces: WorkspaceTable;
  workspace_tombstones: WorkspaceTombstoneTable;
  task_statuses: TaskStatusTable;
  tasks: TaskTable;
  task_activity: TaskActivityTable;
  agent_sessions: AgentSessionTable;
  agent_session_output: AgentSessionOutputTable;
  agent_requests: AgentRequestTable;
  request_marks: RequestMarkTable;
  session_marks: SessionMarkTable;
  chat_sessions: ChatSessionTable;
  chat_messages: ChatMessageTable;
  analytics_events: AnalyticsEventTable;
  analytics_rollups: AnalyticsRollupTable;
  analytics_rolled_up: AnalyticsRolledUpTable;
  analytics_seen: AnalyticsSeenTable;
  integration_connections: IntegrationConnectionTable;
  integration_webhooks: IntegrationWebhookTable;
  repositories: RepositoryTable;
  changes: ChangeTable;
  pull_requests: PullRequestTable;
  review_rounds: ReviewRoundTable;
  review_comments: ReviewCommentTable;
  review_marks: ReviewMarkTable;
  approvals: ApprovalTable;
  integration_events: IntegrationEventTable;
  task_issues: TaskIssueTable;
  integration_oauth_states: IntegrationOAuthStateTable;
  push_keys: PushKeyTable;
  push_subscriptions: PushSubscriptionTable;
  notification_rules: NotificationRuleTable;
  notification_outbox: NotificationOutboxTable;
  user_presence: UserPresenceTable;
}
