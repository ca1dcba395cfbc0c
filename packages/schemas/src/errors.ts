import * as z from "zod";

const reasons = [
  "account_disabled",
  "admin_required",
  "already_member",
  "answer_too_large",
  "base_url_refused",
  "choice_shown",
  "command_failed",
  "command_not_live",
  "command_pending",
  "confirmation_mismatch",
  "credentials_refused",
  "cursor_gone",
  "database_unavailable",
  "device_busy",
  "device_offline",
  "device_owner_required",
  "device_revoked",
  "disk_full",
  "email_taken",
  "email_unverified",
  "event_not_dead",
  "host_not_allowed",
  "idempotency_key_reused",
  "invalid_credentials",
  "invitation_email_mismatch",
  "invitation_not_pending",
  "invitation_required",
  "journal_mismatch",
  "last_owner",
  "last_status",
  "not_a_member",
  "not_connected",
  "oauth_failed",
  "oauth_not_configured",
  "origin_not_allowed",
  "outcome_unknown",
  "outdated_agent",
  "overloaded",
  "own_account",
  "provider_forbidden",
  "provider_not_found",
  "provider_refused",
  "provider_unavailable",
  "public_url_required",
  "queue_full",
  "quota_exceeded",
  "range_too_old",
  "rate_limited",
  "reconnect_required",
  "redirect_not_allowed",
  "requester_revoked",
  "role_required",
  "scope_required",
  "screen_changed",
  "screen_not_given",
  "secret_unreadable",
  "secrets_not_allowed",
  "server_draining",
  "session_ended",
  "session_required",
  "several_connections",
  "sign_up_closed",
  "slug_taken",
  "status_in_use",
  "status_type_fixed",
  "token_invalid",
  "too_many_calls",
  "too_many_connections",
  "too_many_in_progress",
  "too_many_secrets",
  "too_many_statuses",
  "too_many_webhooks",
  "unknown_status",
  "unknown_time_zone",
  "unsupported_tool",
  "unverified_delivery",
  "workspace_id_taken",
] as const;

/**
 * Why a call failed, for callers to branch on: `data.reason` of a tRPC error. Reasons are stable: they are added, never
 * renamed.
 */
export const reason = z.enum(reasons);
export type Reason = (typeof reasons)[number];

/**
 * The `data` of every error answer of the API: tRPC's shape with Grove's fields. It is written out, not inferred: the
 * client's declarations contain it and must not need zod.
 */
export interface ErrorData {
  code: string;
  httpStatus: number;
  path?: string | undefined;
  requestId: string;
  reason?: Reason | undefined;
  /** For BAD_REQUEST: messages by field. The name of a nested field has dots. */
  fieldErrors?: Record<string, string[]> | undefined;
  /** Facts that belong to the reason, such as the time when a device was last seen. */
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
