export { passwordLength } from "./accounts/passwordLength";
export * from "./accounts/user";
export * from "./admin/admin";
export * from "./agentRequests/agentRequest";
export * from "./agentSessions/activity";
export * from "./agentSessions/agentSession";
export * from "./agentSessions/sessionWait";
export { SHELL_AGENT } from "./agentSessions/shellAgent";
export { MAX_OUTPUTS, MAX_TERMINAL_INPUT } from "./agentSessions/terminalLimits";
export { waitsForPerson } from "./agentSessions/waitsForPerson";
export * from "./analytics/analytics";
export * from "./apiKeys/apiKey";
export * from "./changes/change";
export * from "./changes/gate";
export * from "./changes/heldReason";
export { blockText, mergeReasons, mergeReasonText } from "./changes/mergeReasons";
export * from "./changes/workspaceChange";
export * from "./changes/workspacePull";
export * from "./chat/chat";
export * from "./commands/command";
export type { CommandReason } from "./commands/commandReasons";
export { DEFAULT_API_URL, DEFAULT_PORT } from "./defaultPort";
export * from "./devices/device";
export * from "./devices/deviceSetup";
export * from "./devices/deviceTools";
export * from "./devices/doctorFinding";
export { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations";
export * from "./errors";
export * from "./event";
export * from "./integrations/integration";
export { codehostWebhookEvents } from "./integrations/webhookEvents";
export {
  COMMAND_DAYS,
  DELETED_TASK_DAYS,
  DELIVERY_DAYS,
  INVITATION_DAYS,
  LINK_MINUTES,
  MERGE_WAIT_HOURS,
  PAIRING_MINUTES,
  RESCUE_DAYS,
  SESSION_DAYS,
} from "./lifetimes";
export * from "./live/live";
export * from "./local";
export * from "./notifications/notification";
export * from "./organizations/organization";
export { MAX_FAILURE_ROUNDS } from "./projects/failureRounds";
export * from "./projects/project";
export * from "./projects/projectSecret";
export * from "./projects/repositoryScripts";
export { isCloneUrl, parseRemoteUrl, type RemoteUrl } from "./projects/repoUrl";
export { FIND_COMMIT_WAIT_MS, MAX_BATCHED_CALLS, MAX_SENDS, MIN_PAGE, protocol } from "./protocol";
export * from "./reviews/agentWork";
export { anchorLabel, anchorLabelWithSide, type CommentPlace, placeLabel } from "./reviews/anchorLabel";
export * from "./reviews/review";
export {
  MAX_ANCHORS,
  MAX_ANSWER,
  MAX_COMMENT,
  MAX_COMMENTS,
  MAX_ROUND_COMMENTS,
  MAX_ROUND_FAILURES,
} from "./reviews/reviewLimits";
export * from "./tasks/task";
export * from "./tasks/taskActivity";
export {
  countHidden,
  findHidden,
  visibleLines,
  visibleName,
  visibleText,
  withoutHidden,
} from "./text/invisibleCharacters";
export { REDACTED, redactKnownSecrets } from "./text/secretForms";
export { shortCommit } from "./text/shortCommit";
export { toSlug } from "./text/slug";
export { withoutUnseen } from "./text/terminalText";
export { messageOf, toError } from "./thrown";
export * from "./values";
export * from "./workspaces/deviceWorkspaces";
export * from "./workspaces/restorePoints";
export * from "./workspaces/workspace";
export * from "./workspaces/workspaceDiff";
export * from "./workspaces/workspaceFiles";
export { MAX_WORKSPACES_PER_COMMAND, PORTS_PER_WORKSPACE } from "./workspaces/workspaceLimits";
