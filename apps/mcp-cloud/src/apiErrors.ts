import { errorData } from "@grove/client";
import { AuthenticationRequired, ToolError } from "@grove/mcp";
import type { ErrorData } from "@grove/schemas";

/** What a failed call was about, to be named in its message. */
export interface About {
  readonly apiUrl: string;
  readonly deviceId?: string;
}

/** What to do next, by the API's reason, else by its code. */
const nextSteps: Record<string, string> = {
  device_owner_required: "Choose a device whose canExecute is true: list_devices shows them.",
  unsupported_tool: "Other devices are listed by list_devices.",
  queue_full: "Wait until the device has done some of them, or choose another device.",
  unknown_status: "list_task_statuses shows their keys.",
  cursor_gone: "Begin again without after.",
  role_required: "Use the key of somebody with that role.",
  scope_required: "Use an API key that has that scope.",
  BAD_REQUEST: "Correct the arguments and call the tool again.",
  SERVICE_UNAVAILABLE: "Call the tool again in a few seconds.",
  TOO_MANY_REQUESTS: "Wait a moment, then call the tool again.",
};

/** Which tool shows the ids of what is missing, by the word that its message begins with. */
const whereToLook: [RegExp, string][] = [
  [/^There is no device/, "list_devices shows the ids that there are."],
  [/^There is no (project|workspace)/, "list_projects and list_workspaces show the ids that there are."],
  [/^There is no task|^The assignee/, "list_tasks shows the tasks, list_members the members."],
  [/^There is no command/, "It may be somebody else's, or was deleted 30 days after its end."],
  [/^There is no agent session/, "get_workspace_details and get_app_context show sessions."],
];

/** The one place where failures of the API become what a model reads. What is not the API's failure stays as it is. */
export function toToolError(error: unknown, about: About): unknown {
  const data = errorData(error);
  if (error instanceof Error && data) return answered(error.message, data, about);
  return isUnreachable(error) ? unreachable(error, about) : error;
}

function answered(given: string, data: ErrorData, about: About): Error {
  // A route that is no procedure's: the address has a path too many.
  if (data.code === "NOT_FOUND" && data.path === undefined) return wrongAddress(about);
  const message = inToolWords(given);
  if (data.code === "UNAUTHORIZED") return new AuthenticationRequired();
  if (data.reason === "device_offline") return deviceOffline(data, about);
  if (data.code === "INTERNAL_SERVER_ERROR")
    return new ToolError("api_error", message, "Try again; if it stays so, report that request id.");
  const code = data.reason ?? (data.code === "BAD_REQUEST" ? "invalid_input" : data.code.toLowerCase());
  const next =
    nextSteps[data.reason ?? ""] ??
    nextSteps[data.code] ??
    whereToLook.find(([missing]) => missing.test(message))?.[1] ??
    "Change that, then call the tool again.";
  return new ToolError(code, message, next);
}

function deviceOffline({ details = {} }: ErrorData, { deviceId }: About): ToolError {
  const seen = typeof details.lastSeenAt === "string" ? `last seen ${details.lastSeenAt}` : "never seen";
  return new ToolError(
    "device_offline",
    `Device ${deviceId} is offline (${details.offlineReason}, ${seen})`,
    `${offlineSteps[`${details.offlineReason}`] ?? "Start `grove-device` on that machine, or choose"} another device: list_devices with status online.`,
  );
}

/** What brings such a device back, as the beginning of a sentence; the rest just have to be started. */
const offlineSteps: Record<string, string> = {
  revoked: "Choose",
  outdated_agent: "Update `grove-device` on that machine, or choose",
};

/** The API speaks of its procedures, and of what they can do that no tool does. */
const inToolWords = (message: string): string =>
  message
    .replace(/ List the tasks, or restore it if it was deleted\./, "")
    .replace(/ List them with task\.listStatuses\./, "");

const wrongAddress = ({ apiUrl }: About) =>
  new ToolError(
    "api_unreachable",
    `The Grove API is not at ${apiUrl}, but something of it is: the path is wrong`,
    "Set API_URL to the API's address without a path of its procedures, and restart this server.",
  );

function unreachable(error: unknown, { apiUrl }: About): ToolError {
  const other = notGrove(error);
  if (other) return inItsPlace(other, apiUrl);
  return new ToolError(
    "api_unreachable",
    `The Grove API at ${apiUrl} cannot be reached (${networkCode(error) ?? "no answer of a Grove API"})`,
    "Start it (`grove start`, or `npm start` in the repository), or set API_URL to where it runs.",
  );
}

/** A proxy, or another program at that address, answered in a form that Grove does not. */
export class NotGrove extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
  ) {
    super(`HTTP ${status} (${type})`);
  }
}

function inItsPlace({ status, message }: NotGrove, apiUrl: string): ToolError {
  if (status === 429)
    return new ToolError(
      "rate_limited",
      `What stands before the Grove API at ${apiUrl} lets no more requests through (${message})`,
      "Wait a minute, then call the tool again.",
    );
  return status >= 500
    ? new ToolError(
        "api_unreachable",
        `What stands before the Grove API at ${apiUrl} cannot reach it (${message})`,
        "Call the tool again in a few seconds; if it stays so, start the API behind that proxy.",
      )
    : new ToolError(
        "api_unreachable",
        `Something that is no Grove API answers at ${apiUrl} (${message})`,
        "Set API_URL to where the API runs, and restart this server.",
      );
}

function notGrove(error: unknown): NotGrove | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof NotGrove ? error : notGrove(error.cause);
}

/** May pass by itself: a connection that broke, a proxy that cannot reach the API, an API that restarts. */
export function isPassing(error: unknown): boolean {
  if (errorData(error)?.code === "SERVICE_UNAVAILABLE") return true;
  if (!isUnreachable(error) || wasNeverSent(error)) return false;
  const status = notGrove(error)?.status;
  return status === undefined || [502, 503, 504].includes(status);
}

/** Nobody answered, or something that is not Grove (a proxy, another program on that port). */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && error.name === "TRPCClientError" && errorData(error) === undefined;

/** The connection was never made: the API cannot have seen the request. */
export const wasNeverSent = (error: unknown): boolean =>
  [
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "UND_ERR_CONNECT_TIMEOUT",
  ].includes(networkCode(error) ?? "");

/** Node's code for what went wrong with a connection, wherever in the chain of causes it is. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return networkCode(error.cause);
}
