/** The mutations that write an audit event of their own name. */
export const audited: readonly string[] = [
  "admin.deleteUser",
  "admin.setUserDisabled",
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
  "task.deleteStatus",
  "user.delete",
  "workspace.delete",
  "workspace.ensure",
];

/** Mutations that write an event under another name, because they do what the other does. */
export const actionOf: Readonly<Record<string, string>> = {
  "admin.deleteUser": "user.delete",
  "device.finishPairing": "device.register",
  // The project that it creates.
  "workspace.ensure": "project.create",
};

const command = "A command is a record of who asked for it, and of what became of it.";
const control = "It writes one event per actor, session and hour, beside the record of each command.";
const event = "An analytics event is a record itself.";
const pairing =
  "The device does not exist before its machine finishes the pairing, which is audited as device.register.";
const account = "The account is in no organization, and no membership, key or device ends.";
const content = "Members' everyday work: nothing is deleted, and access stays the same.";

/** Mutations that write no event, each with the reason. */
export const notAudited: Readonly<Record<string, string>> = {
  "agent.cancelCommand": command,
  "agent.complete": command,
  "agent.execute": command,
  "agent.heartbeat": command,
  "agent.progress": command,
  "agent.reportSession": command,
  "agent.resizeSession": control,
  "agent.sendInput": control,
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
  "organization.delete": "The organization's audit events go with it. The log keeps who deleted it.",
  "task.create": content,
  "task.createStatus": content,
  "task.move": content,
  "task.restore": content,
  "task.update": content,
  "task.updateStatus": content,
  "user.changePassword": account,
  "user.revokeSession": account,
  "user.update": account,
  "workspace.create": content,
  "workspace.update": content,
};
