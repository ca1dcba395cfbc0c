import { defineProvider } from "../defineProvider";
import { openGitLab } from "./codehost";
import { gitLabWebhooks } from "./webhooks";

export const gitlab = defineProvider({
  kind: "codehost",
  title: "GitLab",
  takes: { token: "a personal, group or project access token" },
  apiUrl: "https://gitlab.com",
  apiUrlAt: (baseUrl) => baseUrl.href.replace(/\/+$/, ""),
  open: openGitLab,
  oauth: {
    authorizeUrl: "https://gitlab.com/oauth/authorize",
    tokenUrl: "https://gitlab.com/oauth/token",
    scopes: ["api"],
    pkce: true,
    clientAuthentication: "basic",
  },
  webhooks: gitLabWebhooks,
});
