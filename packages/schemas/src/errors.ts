import { z } from "zod";

/**
 * Why a call failed, where a caller may branch on it: `data.reason` of a tRPC error.
 * Stable: a reason is added, never renamed.
 */
export const reason = z.enum([
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
]);
export type Reason = z.infer<typeof reason>;

/** The `data` of every error answer of the API (tRPC's shape, with Grove's fields). */
export const errorData = z.object({
  code: z.string(),
  httpStatus: z.number(),
  path: z.string().optional(),
  requestId: z.string(),
  reason: reason.optional(),
  /** On BAD_REQUEST: messages by field, dotted for nested fields. */
  fieldErrors: z.record(z.string(), z.array(z.string())).optional(),
  /** Facts that go with the reason, for instance a device's last-seen time. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorData = z.infer<typeof errorData>;
