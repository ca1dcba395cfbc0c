import { errorData } from "@grove/client";
import { AuthenticationRequired, ToolError } from "@grove/mcp";
import { COMMAND_DAYS, type ErrorData, type Reason } from "@grove/schemas";

/** The subject of a failed call, named in the error message. */
export interface About {
  readonly apiUrl: string;
  readonly deviceId?: string;
}

/** The next step, by the API's reason. */
const nextSteps: Partial<Record<Reason, string>> = {
  device_owner_required: "Choose a device whose canExecute is true: list_devices shows them.",
  unsupported_tool: "Other devices are listed by list_devices.",
  command_pending: "get_command with that id waits for it.",
  queue_full: "Wait until the device has done some of them, or choose another device.",
  device_busy: "Call the tool again in a few seconds.",
  unknown_status: "list_task_statuses shows their keys.",
  cursor_gone: "Call again without after.",
  role_required: "Use the key of a member with that role.",
  not_your_change: "Use a key of the person who started the agent there.",
  comment_not_sent: "list_review_comments shows the ones that were sent.",
  not_pushed: "push_branch pushes it.",
  no_connection: "Ask an admin.",
  scope_required: "Use an API key that has that scope.",
};

/** The next step for an error without one of these reasons, by its code. */
const nextStepsByCode: Record<string, string> = {
  BAD_REQUEST: "Correct the arguments and call the tool again.",
  SERVICE_UNAVAILABLE: "Call the tool again in a few seconds.",
  TOO_MANY_REQUESTS: "Wait a moment, then call the tool again.",
};

/** The next step where something does not exist, by the error's `details.missing`. */
const missingSteps: Record<string, string> = {
  device: "list_devices shows the existing ids.",
  project: "list_projects shows the existing ids.",
  workspace: "list_workspaces shows the existing ids.",
  task: "list_tasks shows the tasks; delete_task with restore true brings back a deleted one.",
  "deleted task": "A deleted task is kept no longer than that.",
  member: "list_members shows the members.",
  command: `It may be another member's, or was deleted ${COMMAND_DAYS} days after its end.`,
  comment: "list_review_comments shows the open ones.",
  change: "list_workspaces shows the branches of workspaces.",
  "agent request": "get_agent_session shows the open one.",
  "agent session": "get_workspace_details and get_app_context show sessions.",
};

/** The only place that turns failures of the API into text for a model. Any other error is returned unchanged. */
export function toToolError(error: unknown, about: About): unknown {
  const data = errorData(error);
  if (error instanceof Error && data) return answered(error.message, data, about);
  return isUnreachable(error) ? unreachable(error, about) : error;
}

function answered(message: string, data: ErrorData, about: About): Error {
  // The path belongs to no procedure: the configured address contains an extra path.
  if (data.code === "NOT_FOUND" && data.path === undefined) return wrongAddress(about);
  if (data.code === "UNAUTHORIZED") return new AuthenticationRequired();
  if (data.reason === "device_offline") return deviceOffline(data, about);
  if (data.code === "INTERNAL_SERVER_ERROR")
    return new ToolError("api_error", message, "Try again; if the error persists, report that request id.");
  const code = data.reason ?? (data.code === "BAD_REQUEST" ? "invalid_input" : data.code.toLowerCase());
  const next =
    ((data.reason === "session_required" && askPerson(data)) || (data.reason && nextSteps[data.reason])) ??
    nextStepsByCode[data.code] ??
    missingSteps[`${data.details?.missing}`] ??
    "Fix the call as described, then try again.";
  return new ToolError(code, message, next);
}

/** Returns the next step for an action that needs a person's session. */
const askPerson = ({ details }: ErrorData): string =>
  `A person can do it ${typeof details?.url === "string" ? `at ${details.url}` : "in Grove's console under Now"}.`;

function deviceOffline({ details = {} }: ErrorData, { deviceId }: About): ToolError {
  const lastSeenText =
    typeof details.lastSeenAt === "string" ? `last seen ${details.lastSeenAt}` : "never seen";
  return new ToolError(
    "device_offline",
    `Device ${deviceId} is offline (${details.offlineReason}, ${lastSeenText})`,
    `${offlineSteps[`${details.offlineReason}`] ?? "Start `grove-device` on that machine, or choose"} another device: list_devices with status online.`,
  );
}

/** How to bring a device online, by its offline reason, as the beginning of a sentence. By default, start its agent. */
const offlineSteps: Record<string, string> = {
  revoked: "Choose",
  outdated_agent: "Update `grove-device` on that machine, or choose",
};

const wrongAddress = ({ apiUrl }: About) =>
  new ToolError(
    "api_unreachable",
    `Grove answers at ${apiUrl}, but its API has another address: the path is wrong`,
    "Set API_URL to the API's address without the path of a procedure, and restart this server.",
  );

function unreachable(error: unknown, { apiUrl }: About): ToolError {
  const other = notGrove(error);
  if (other) return notGroveError(other, apiUrl);
  return new ToolError(
    "api_unreachable",
    `The Grove API at ${apiUrl} cannot be reached (${networkCode(error) ?? "no answer from a Grove API"})`,
    "Start it (`grove start`, or `npm start` in the repository), or set API_URL to where it runs.",
  );
}

/** The response came from a proxy, or from another program at that address: Grove does not answer in this form. */
export class NotGrove extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string) {
    super(`HTTP ${status} (${type})`);
    this.status = status;
    this.type = type;
  }
}

function notGroveError({ status, message }: NotGrove, apiUrl: string): ToolError {
  if (status === 429)
    return new ToolError(
      "rate_limited",
      `The proxy in front of the Grove API at ${apiUrl} refuses further requests (${message})`,
      "Wait a minute, then call the tool again.",
    );
  return status >= 500
    ? new ToolError(
        "api_unreachable",
        `The proxy in front of the Grove API at ${apiUrl} cannot reach it (${message})`,
        "Call the tool again in a few seconds; if the error persists, start the API behind that proxy.",
      )
    : new ToolError(
        "api_unreachable",
        `The server at ${apiUrl} is not a Grove API (${message})`,
        "Set API_URL to where the API runs, and restart this server.",
      );
}

function notGrove(error: unknown): NotGrove | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof NotGrove ? error : notGrove(error.cause);
}

/** Whether an error is transient: a broken connection, a proxy that cannot reach the API, an API that restarts. */
export function isTransient(error: unknown): boolean {
  if (errorData(error)?.code === "SERVICE_UNAVAILABLE") return true;
  if (!isUnreachable(error) || wasNeverSent(error)) return false;
  const status = notGrove(error)?.status;
  return status === undefined || [502, 503, 504].includes(status);
}

/** Whether the API was not reached: no response, or one of a proxy or another program on that port. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && error.name === "TRPCClientError" && errorData(error) === undefined;

/** Whether the connection was never established, so that the API cannot have the request. */
export const wasNeverSent = (error: unknown): boolean =>
  [
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "UND_ERR_CONNECT_TIMEOUT",
  ].includes(networkCode(error) ?? "");

/** Node's code for a connection error, wherever it is in the chain of causes. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return networkCode(error.cause);
}
