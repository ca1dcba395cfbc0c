import { defineProvider } from "../defineProvider";
import { ProviderError, type ProviderFailure } from "../errors";
import type { ReadError } from "../network/fetch";
import { retryAfter } from "../network/fetch";
import { openSlack } from "./messenger";

/** Slack answers nearly everything with 200 (docs.slack.dev/apis/web-api, "Evaluating responses"). */
const failures: Record<string, ProviderFailure> = {
  invalid_auth: "unauthorized",
  not_authed: "unauthorized",
  account_inactive: "unauthorized",
  token_revoked: "unauthorized",
  token_expired: "unauthorized",
  missing_scope: "forbidden",
  not_in_channel: "forbidden",
  restricted_action: "forbidden",
  no_permission: "forbidden",
  access_denied: "forbidden",
  ekm_access_denied: "forbidden",
  channel_not_found: "not_found",
  internal_error: "unavailable",
  fatal_error: "unavailable",
  service_unavailable: "unavailable",
  request_timeout: "unavailable",
};

const readError: ReadError = ({ headers, json }) => {
  if (typeof json !== "object" || json === null || !("ok" in json) || json.ok !== false) return undefined;
  const detail = "error" in json ? String(json.error) : undefined;
  if (detail === "ratelimited" || detail === "rate_limited")
    return new ProviderError("rate_limited", { detail, retryAfterSeconds: retryAfter(headers) });
  return new ProviderError((detail && failures[detail]) || "refused", { detail });
};

export const slack = defineProvider({
  kind: "messenger",
  title: "Slack",
  takes: { token: "a bot token, xoxb-…" },
  apiUrl: "https://slack.com/api/",
  open: openSlack,
  readError,
  oauth: {
    authorizeUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    scopes: ["chat:write", "chat:write.public", "channels:read", "groups:read"],
    scopeSeparator: ",",
    // An app must opt in to PKCE, and then has no secret.
    pkce: false,
    clientAuthentication: "basic",
  },
});
