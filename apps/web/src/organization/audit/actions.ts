/** The recorded actions as people say them, in the order of the filter. */
const actionTitles: Record<string, string> = {
  "organization.create": "Organization created",
  "organization.update": "Organization changed",
  "organization.invite": "Member invited",
  "organization.revokeInvitation": "Invitation revoked",
  "organization.acceptInvitation": "Invitation accepted",
  "organization.updateMemberRole": "Role changed",
  "organization.removeMember": "Member removed",
  "organization.leave": "Member left",
  "apiKey.create": "API key created",
  "apiKey.revoke": "API key revoked",
  "device.register": "Device added",
  "device.update": "Device changed",
  "device.revoke": "Device revoked",
  "device.rotateKey": "Device's key replaced",
  "device.setSecretsAllowed": "Secrets for a device allowed or refused",
  "project.create": "Project added",
  "project.update": "Project changed",
  "project.delete": "Project deleted",
  "project.setSecret": "Project secret set",
  "project.deleteSecret": "Project secret deleted",
  "agent.sessionSecrets": "Secrets read for a session",
  "agent.answerRequest": "Agent's request answered",
  "agent.renameSession": "Session renamed",
  "workspace.delete": "Workspace deleted",
  "task.delete": "Task deleted",
  "task.deleteComment": "Comment deleted",
  "task.deleteStatus": "Task status deleted",
  "integration.connect": "Account connected",
  "integration.disconnect": "Account disconnected",
  "integration.reconnectRequired": "Connection refused by its provider",
  "integration.codehost.createWebhook": "Webhook created",
  "integration.codehost.deleteWebhook": "Webhook deleted",
  "workspace.change.openPull": "Pull request opened",
  "workspace.change.markReady": "Pull request marked as ready",
  "workspace.change.approve": "Commit approved",
  "workspace.change.unapprove": "Approval withdrawn",
  "workspace.change.merge": "Pull request merged",
  "workspace.change.cancelMerge": "Merge after checks canceled",
  "workspace.change.mergeEnded": "Merge after checks ended without a merge",
  "integration.replayEvent": "Delivery tried again",
  "user.delete": "Account deleted",
  "admin.setUserDisabled": "Account disabled or enabled",
};

/** An action that has no title here appears under the name that the API gives it. */
export const actionTitle = (action: string): string =>
  Object.hasOwn(actionTitles, action) ? (actionTitles[action] ?? action) : action;

/** The options of the filter, with the action that the address names, whatever it is. */
export const actionOptions = (current: string | undefined) => [
  { value: "", title: "All actions" },
  ...(current !== undefined && !Object.hasOwn(actionTitles, current)
    ? [{ value: current, title: current }]
    : []),
  ...Object.entries(actionTitles).map(([value, title]) => ({ value, title })),
];
