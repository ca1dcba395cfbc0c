/** The mutations that write an audit event of their own name. */
export const audited: readonly string[] = [
  "admin.deleteUser",
  "admin.setUserDisabled",
  "agent.answerRequest",
  "agent.renameSession",
  "agent.sessionSecrets",
  "apiKey.create",
  "apiKey.revoke",
  "chat.deleteSession",
  "device.finishPairing",
  "device.register",
  "device.revoke",
  "device.rotateKey",
  "device.setSecretsAllowed",
  "device.update",
  "integration.codehost.createWebhook",
  "integration.codehost.deleteWebhook",
  "integration.connect",
  "integration.disconnect",
  "integration.replayEvent",
  "organization.acceptInvitation",
  "organization.create",
  "organization.invite",
  "organization.leave",
  "organization.removeMember",
  "organization.revokeInvitation",
  "organization.update",
  "organization.updateMemberRole",
  "project.create",
  "project.delete",
  "project.deleteSecret",
  "project.revealSecret",
  "project.setSecret",
  "project.update",
  "task.delete",
  "task.deleteComment",
  "task.deleteStatus",
  "user.delete",
  "workspace.change.approve",
  "workspace.change.cancelMerge",
  "workspace.change.merge",
  "workspace.change.openPull",
  "workspace.change.unapprove",
  "workspace.delete",
  "workspace.ensure",
];

/** Mutations that write an event under another name, because they do what the other does. */
export const actionOf: Readonly<Record<string, string>> = {
  "admin.deleteUser": "user.delete",
  "device.finishPairing": "device.register",
  // Only the created project is audited.
  "workspace.ensure": "project.create",
};

const command = "A command itself records its requester and its outcome.";
const control =
  "The procedure writes one event per actor, session and hour, beside the record of each command.";
const event = "An analytics event is a record itself.";
const pairing =
  "The device does not exist before its machine finishes the pairing, which is audited as device.register.";
const account = "The account is in no organization, and no membership, key or device ends.";
const notifications = "A member's own notifications: no one else's access or data changes.";
const own = "It changes only what the caller is shown.";
const content = "Members' everyday work: nothing is deleted, and access stays the same.";

/** Mutations that write no event, each with the reason. */
export const notAudited: Readonly<Record<string, string>> = {
  "agent.cancelCommand": command,
  "agent.complete": command,
  "agent.execute": command,
  "agent.heartbeat": command,
  "agent.markSessionSeen": own,
  "agent.progress": command,
  "agent.reportSession": command,
  "agent.releaseRequest": control,
  "agent.resizeSession": control,
  "agent.sendInput": control,
  "agent.snoozeRequest": own,
  "agent.start": command,
  "agent.stopSession": control,
  "analytics.track": event,
  "analytics.trackBatch": event,
  "device.approvePairing": pairing,
  "device.createRegistration": pairing,
  "device.requestPairing": "A machine that waits is in no organization.",
  "chat.createSession": content,
  "chat.renameSession": content,
  "chat.sendMessage": content,
  "integration.authorizeUrl":
    "Nothing is connected until the provider's answer, which is audited as integration.connect.",
  "integration.messenger.sendMessage": content,
  "integration.tracker.importIssue": content,
  "organization.delete":
    "The organization's audit events are deleted with it. The log records who deleted it.",
  "task.addComment": content,
  "task.create": content,
  "task.createStatus": content,
  "task.move": content,
  "task.restore": content,
  "task.update": content,
  "task.updateComment": content,
  "task.updateStatus": content,
  "user.changePassword": account,
  "user.reportPresence": account,
  "user.revokeSession": account,
  "user.setNotificationRules": notifications,
  "user.subscribePush": account,
  "user.testNotification": notifications,
  "user.unsubscribePush": account,
  "user.update": account,
  "workspace.change.commit": command,
  "workspace.change.finish": content,
  "workspace.change.mergeHere": command,
  "workspace.change.push": command,
  "workspace.change.runGate": command,
  "workspace.change.update": command,
  "workspace.review.answer": content,
  "workspace.review.discard": content,
  "workspace.review.mark": content,
  "workspace.review.save": content,
  "workspace.review.send": command,
  "workspace.review.settle": content,
  "workspace.create": content,
  "workspace.undo": command,
  "workspace.update": content,
};
