export * from "./activity";
export * from "./admin";
export * from "./agentRequest";
export * from "./agentSession";
export * from "./analytics";
export * from "./apiKey";
export * from "./change";
export * from "./chat";
export * from "./command";
export type { CommandReason } from "./commandReasons";
export { DEFAULT_API_URL, DEFAULT_PORT } from "./defaultPort";
export * from "./device";
export * from "./deviceSetup";
export * from "./deviceTools";
export * from "./deviceWorkspaces";
export * from "./doctorFinding";
export { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations";
export * from "./errors";
export * from "./event";
export * from "./integration";
export {
  countHidden,
  findHidden,
  visibleLines,
  visibleName,
  visibleText,
  withoutHidden,
} from "./invisibleCharacters";
export {
  COMMAND_DAYS,
  DELETED_TASK_DAYS,
  DELIVERY_DAYS,
  INVITATION_DAYS,
  LINK_MINUTES,
  PAIRING_MINUTES,
  RESCUE_DAYS,
  SESSION_DAYS,
} from "./lifetimes";
export * from "./live";
export * from "./local";
export * from "./notification";
export * from "./organization";
export { passwordLength } from "./passwordLength";
export * from "./project";
export * from "./projectSecret";
export { MAX_BATCHED_CALLS, MAX_SENDS, MIN_PAGE, protocol } from "./protocol";
export { isCloneUrl, parseRemoteUrl, type RemoteUrl } from "./repoUrl";
export * from "./restorePoints";
export * from "./review";
export { MAX_ANCHORS, MAX_ANSWER, MAX_COMMENT, MAX_COMMENTS, MAX_ROUND_COMMENTS } from "./reviewLimits";
export * from "./sessionWait";
export { SHELL_AGENT } from "./shellAgent";
export { toSlug } from "./slug";
export * from "./task";
export * from "./taskActivity";
export { MAX_OUTPUTS, MAX_TERMINAL_INPUT } from "./terminalLimits";
export { withoutUnseen } from "./terminalText";
export { messageOf, toError } from "./thrown";
export * from "./user";
export * from "./values";
export { waitsForPerson } from "./waitsForPerson";
export * from "./workspace";
export * from "./workspaceChange";
export * from "./workspaceDiff";
export * from "./workspaceFiles";
export { MAX_WORKSPACES_PER_COMMAND, PORTS_PER_WORKSPACE } from "./workspaceLimits";
export * from "./workspacePull";
