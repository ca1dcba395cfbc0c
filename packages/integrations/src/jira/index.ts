import { defineProvider } from "../defineProvider";
import { readSite } from "./site";
import { openJira } from "./tracker";
import { jiraWebhooks } from "./webhooks";

export const jira = defineProvider({
  kind: "tracker",
  title: "Jira",
  takes: { token: "an API token of id.atlassian.com", email: true },
  apiUrlAt: (baseUrl) => baseUrl.href.replace(/\/+$/, ""),
  open: openJira,
  oauth: {
    authorizeUrl: "https://auth.atlassian.com/authorize",
    tokenUrl: "https://auth.atlassian.com/oauth/token",
    apiUrl: "https://api.atlassian.com",
    scopes: ["read:jira-work", "read:jira-user", "offline_access"],
    pkce: false,
    clientAuthentication: "body",
    parameters: { audience: "api.atlassian.com", prompt: "consent" },
    readSite,
  },
  webhooks: jiraWebhooks,
});
