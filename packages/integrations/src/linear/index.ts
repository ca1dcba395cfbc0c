import { defineProvider } from "../defineProvider";
import { ProviderError } from "../errors";
import { boundedSeconds, type ReadError } from "../network/fetch";
import { errorsOf } from "./graphql";
import { openLinear } from "./tracker";
import { linearWebhooks } from "./webhooks";

/** GraphQL errors come with any HTTP status (linear.app/developers/graphql, "Errors", and rate-limiting). */
const readError: ReadError = ({ headers, json }) => {
  const [first] = errorsOf(json);
  if (!first) return undefined;
  const { code, type = "", userPresentableMessage } = first.extensions ?? {};
  const detail = userPresentableMessage ?? first.message;
  if (code === "RATELIMITED" || type === "ratelimited") {
    const reset = Number(headers.get("x-ratelimit-requests-reset") ?? Number.NaN);
    return new ProviderError("rate_limited", {
      detail,
      retryAfterSeconds: boundedSeconds((reset - Date.now()) / 1000),
    });
  }
  if (code === "AUTHENTICATION_ERROR" || type === "authentication error")
    return new ProviderError("unauthorized", { detail });
  if (code === "FORBIDDEN" || type === "forbidden") return new ProviderError("forbidden", { detail });
  if (/^Entity not found/.test(first.message)) return new ProviderError("not_found", { detail });
  if (code === "INTERNAL_SERVER_ERROR" || type === "internal error")
    return new ProviderError("unavailable", { detail });
  return new ProviderError("refused", { detail });
};

export const linear = defineProvider({
  kind: "tracker",
  title: "Linear",
  takes: { token: "a personal API key" },
  apiUrl: "https://api.linear.app/graphql",
  open: openLinear,
  readError,
  oauth: {
    authorizeUrl: "https://linear.app/oauth/authorize",
    tokenUrl: "https://api.linear.app/oauth/token",
    // Only admins may make webhooks.
    scopes: ["read", "admin"],
    scopeSeparator: ",",
    pkce: true,
    clientAuthentication: "body",
  },
  webhooks: linearWebhooks,
});
