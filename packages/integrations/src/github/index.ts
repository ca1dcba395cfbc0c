import { defineProvider } from "../defineProvider";
import { ProviderError } from "../errors";
import { boundedSeconds, type ReadError, retryAfter } from "../network/fetch";
import { openGitHub } from "./codehost";
import { gitHubWebhooks } from "./webhooks";

/** docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const readError: ReadError = ({ status, headers }) => {
  if (status !== 403 && status !== 429) return undefined;
  if (headers.has("retry-after"))
    return new ProviderError("rate_limited", { retryAfterSeconds: retryAfter(headers) });
  if (headers.get("x-ratelimit-remaining") !== "0") return undefined;
  const resetSeconds = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) - Date.now() / 1000;
  return new ProviderError("rate_limited", { retryAfterSeconds: boundedSeconds(resetSeconds) });
};

export const github = defineProvider({
  kind: "codehost",
  title: "GitHub",
  takes: { token: "a personal access token", app: true },
  apiUrl: "https://api.github.com",
  // docs.github.com/enterprise-server/rest/using-the-rest-api and github.com's data residency
  apiUrlAt: (baseUrl) => {
    if (["github.com", "www.github.com", "api.github.com"].includes(baseUrl.hostname))
      return "https://api.github.com";
    if (baseUrl.hostname.endsWith(".ghe.com")) {
      const host = baseUrl.host.startsWith("api.") ? baseUrl.host : `api.${baseUrl.host}`;
      return `${baseUrl.protocol}//${host}`;
    }
    return new URL("/api/v3", baseUrl).href;
  },
  open: openGitHub,
  readError,
  oauth: {
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    scopes: ["repo", "admin:repo_hook", "read:user"],
    pkce: true,
    clientAuthentication: "basic",
  },
  webhooks: gitHubWebhooks,
});
