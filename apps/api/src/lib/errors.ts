import { GroveError } from "@grove/auth";
import {
  describeUnavailable,
  isForeignKeyViolation,
  isSerializationFailure,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
} from "@grove/db";
import type { ErrorData } from "@grove/schemas";
import { type TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import * as z from "zod";

/** The error response of a plain HTTP route, in tRPC's shape, so that every client reads one form. */
export interface ErrorAnswer {
  error: { message: string; code: number; data: ErrorData };
}

/** Fastify's own refusals, by the status it gives them. */
const codesByStatus = new Map<unknown, TRPC_ERROR_CODE_KEY>([
  [400, "BAD_REQUEST"],
  [404, "NOT_FOUND"],
  [413, "PAYLOAD_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
]);

/** Converts anything thrown into the tRPC error that the caller gets. */
export function toTrpcError(error: unknown): TRPCError {
  const cause = error instanceof TRPCError && error.code === "INTERNAL_SERVER_ERROR" ? error.cause : error;
  if (cause instanceof TRPCError) return cause;
  if (cause instanceof GroveError) return new TRPCError({ code: cause.code, message: cause.message, cause });
  if (cause instanceof z.ZodError) return new TRPCError({ code: "BAD_REQUEST", cause });
  if (cause instanceof Error && "statusCode" in cause) {
    const code = codesByStatus.get(cause.statusCode);
    if (code) return new TRPCError({ code, message: cause.message, cause });
  }
  // A violation that no procedure gave a name is still the caller's conflict, not our fault.
  if (isUniqueViolation(cause))
    return new TRPCError({ code: "CONFLICT", message: "That already exists.", cause });
  if (isForeignKeyViolation(cause))
    return new TRPCError({
      code: "NOT_FOUND",
      message: "The request refers to an item that does not exist.",
      cause,
    });
  if (isSerializationFailure(cause))
    return new TRPCError({
      code: "CONFLICT",
      message: "Someone else changed this at the same time. Try again.",
      cause,
    });
  if (isStatementTimeout(cause))
    return new TRPCError({
      code: "TIMEOUT",
      message: "The database took too long to answer. Request less, or try again later.",
      cause,
    });
  if (isUnavailable(cause))
    return new TRPCError({
      code: "SERVICE_UNAVAILABLE",
      message: describeUnavailable(cause),
      cause,
    });
  return new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "Internal error", cause });
}

/** The message and `data` of an error response. Internal errors reveal only the id under which they are logged. */
export function describeError(
  error: TRPCError,
  requestId: string,
  path?: string,
): { message: string; data: ErrorData } {
  const { cause } = error;
  const data: ErrorData = {
    code: error.code,
    httpStatus: (cause instanceof GroveError && cause.statusCode) || getHTTPStatusCodeFromError(error),
    requestId,
    ...(path !== undefined && { path }),
    ...(cause instanceof GroveError && { reason: cause.reason, details: cause.details }),
  };
  if (cause instanceof z.ZodError) {
    data.fieldErrors = fieldErrors(cause);
    return { message: `Invalid input: ${readable(cause)}`, data };
  }
  if (error.code === "INTERNAL_SERVER_ERROR")
    return { message: `Internal error. It is logged under request id ${requestId}.`, data };
  return { message: error.message, data };
}

/** The response of a plain HTTP route to anything thrown. */
export function errorAnswer(error: unknown, requestId: string): { status: number; body: ErrorAnswer } {
  const trpcError = toTrpcError(error);
  const { message, data } = describeError(trpcError, requestId);
  return {
    status: data.httpStatus,
    body: { error: { message, code: TRPC_ERROR_CODES_BY_KEY[trpcError.code], data } },
  };
}

/** Seconds for the `retry-after` header (RFC 9110, section 10.2.3); undefined if the error has none. */
export function retryAfter(error: unknown): number | undefined {
  const cause = error instanceof TRPCError ? error.cause : error;
  const seconds = cause instanceof GroveError ? cause.details?.retryAfterSeconds : undefined;
  return typeof seconds === "number" ? seconds : undefined;
}

/** An input may have any number of wrong fields, with names of any length: a response lists no more than this. */
const MAX_ISSUES = 20;
const MAX_CHARACTERS = 500;

const cut = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…`.toWellFormed() : text;

const issuesOf = (error: z.ZodError, limit: number) =>
  error.issues
    .slice(0, limit)
    .map(({ path, message }) => ({ field: cut(path.join(".")), message: cut(message) }));

function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const byField = new Map<string, string[]>();
  for (const { field, message } of issuesOf(error, MAX_ISSUES))
    byField.set(field, [...(byField.get(field) ?? []), message]);
  return Object.fromEntries(byField);
}

const readable = (error: z.ZodError): string =>
  issuesOf(error, 5)
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
    .join("; ");
