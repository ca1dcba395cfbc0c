import { z } from "zod";

const reasons = [
  "account_disabled",
  "admin_required",
  "command_not_live",
  "cursor_gone",
  "device_offline",
  "device_owner_required",
  "email_taken",
  "email_unverified",
  "host_not_allowed",
  "idempotency_key_reused",
  "invalid_credentials",
  "journal_mismatch",
  "not_a_member",
  "origin_not_allowed",
  "role_required",
  "scope_required",
  "server_draining",
  "session_required",
  "sign_up_closed",
  "slug_taken",
  "too_many_calls",
  "unsupported_tool",
  "workspace_id_taken",
] as const;

/**
 * Why a call failed, where a caller may branch on it: `data.reason` of a tRPC error.
 * Stable: a reason is added, never renamed.
 */
export const reason = z.enum(reasons);
export type Reason = (typeof reasons)[number];

/**
 * The `data` of every error answer of the API (tRPC's shape, with Grove's fields). Written out, not inferred: the
 * client's declarations contain it, and are not to need zod.
 */
export interface ErrorData {
  code: string;
  httpStatus: number;
  path?: string | undefined;
  requestId: string;
  reason?: Reason | undefined;
  /** On BAD_REQUEST: messages by field, dotted for nested fields. */
  fieldErrors?: Record<string, string[]> | undefined;
  /** Facts that go with the reason, for instance a device's last-seen time. */
  details?: Record<string, unknown> | undefined;
}

export const errorData = z.object({
  code: z.string(),
  httpStatus: z.number(),
  path: z.string().optional(),
  requestId: z.string(),
  reason: reason.optional(),
  fieldErrors: z.record(z.string(), z.array(z.string())).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
}) satisfies z.ZodType<ErrorData>;
