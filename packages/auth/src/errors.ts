import type { Reason } from "@grove/schemas";

/** The tRPC error codes that Grove uses. */
export type ErrorCode =
  | "BAD_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_SUPPORTED"
  | "TIMEOUT"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "TOO_MANY_REQUESTS"
  | "CLIENT_CLOSED_REQUEST"
  | "INTERNAL_SERVER_ERROR"
  | "BAD_GATEWAY"
  | "SERVICE_UNAVAILABLE";

export interface ErrorOptions {
  /** Callers branch on the reason. */
  reason?: Reason;
  /** Facts that belong to the reason; sent to the caller. */
  details?: Record<string, unknown>;
  /** The HTTP status, if tRPC has no code for it (421). */
  statusCode?: number;
  /** For the log only. */
  cause?: unknown;
}

/**
 * The error for every request that Grove refuses. The caller may read everything except the cause. The message is a
 * sentence, then the next step. Independent of the transport: the API formats it for each.
 */
export class GroveError extends Error {
  override name = "GroveError";
  readonly code: ErrorCode;
  readonly reason?: Reason;
  readonly details?: Record<string, unknown>;
  readonly statusCode?: number;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
    this.details = options.details;
    this.statusCode = options.statusCode;
  }
}
