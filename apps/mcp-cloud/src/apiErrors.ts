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
  NOT_FOUND:
    "The list_ tools show the ids that there are: list_devices, list_projects, list_workspaces, list_tasks, list_members.",
  SERVICE_UNAVAILABLE: "Call the tool again in a few seconds.",
  TOO_MANY_REQUESTS: "Wait a moment, then call the tool again.",
};

/** The one place where failures of the API become what a model reads. What is not the API's failure stays as it is. */
export function toToolError(error: unknown, about: About): unknown {
  const data = errorData(error);
  if (error instanceof Error && data) return answered(error.message, data, about);
  return isUnreachable(error) ? unreachable(error, about) : error;
}

function answered(message: string, data: ErrorData, about: About): Error {
  if (data.code === "UNAUTHORIZED") return new AuthenticationRequired();
  if (data.reason === "device_offline") return deviceOffline(data, about);
  if (data.code === "INTERNAL_SERVER_ERROR")
    return new ToolError("api_error", message, "Try again; if it stays so, report that request id.");
  const code = data.reason ?? (data.code === "BAD_REQUEST" ? "invalid_input" : data.code.toLowerCase());
  const next =
    nextSteps[data.reason ?? ""] ?? nextSteps[data.code] ?? "Change that, then call the tool again.";
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

function unreachable(error: unknown, { apiUrl }: About): ToolError {
  const why = networkCode(error) ?? "no answer of a Grove API";
  return new ToolError(
    "api_unreachable",
    `The Grove API at ${apiUrl} cannot be reached (${why})`,
    "Start it (`grove start`, or `pnpm start` in the repository), or set API_URL to where it runs.",
  );
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
