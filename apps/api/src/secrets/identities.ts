/* The identity that a sealed secret is bound to: its row. */

export const secretIdentity = (row: { organization_id: string; project_id: string; key: string }): string =>
  `project_secret ${row.organization_id} ${row.project_id} ${row.key}`;

export const connectionIdentity = (row: { organization_id: string; id: string }): string =>
  `integration_connection ${row.organization_id} ${row.id}`;

export const webhookIdentity = (row: { organization_id: string; id: string }): string =>
  `integration_webhook ${row.organization_id} ${row.id}`;

export const oauthStateIdentity = (stateHash: string): string => `integration_oauth_state ${stateHash}`;

export const pushKeyIdentity = (): string => "push_key";

export const pushSubscriptionIdentity = (row: { user_id: string; id: string }): string =>
  `push_subscription ${row.user_id} ${row.id}`;

export const notificationRuleIdentity = (row: { organization_id: string; id: string }): string =>
  `notification_rule ${row.organization_id} ${row.id}`;
