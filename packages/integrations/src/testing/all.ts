import type { IntegrationProvider } from "@grove/schemas";
import type { Access } from "../integrations";
import { discordToken, useDiscordApi } from "./discord";
import { gitHubToken, useGitHubApi } from "./github";
import { gitLabToken, useGitLabApi } from "./gitlab";
import { jiraEmail, jiraToken, useJiraApi } from "./jira";
import { linearToken, useLinearApi } from "./linear";
import { slackToken, useSlackApi } from "./slack";

const token = (value: string, email?: string): Access["credentials"] => ({
  type: "token",
  token: value,
  ...(email !== undefined && { email }),
});

/** A server of every provider, with the credentials and addresses to reach it. */
export async function useProviders() {
  const [github, gitlab, linear, jira, slack, discord] = await Promise.all([
    useGitHubApi(),
    useGitLabApi(),
    useLinearApi(),
    useJiraApi(),
    useSlackApi(),
    useDiscordApi(),
  ]);
  const options = {
    privateHosts: [
      ...[github.url, github.storage.url, gitlab.url],
      ...[linear.apiUrl, jira.url, slack.apiUrl, discord.apiUrl],
    ].map((url) => new URL(url).host),
    apiUrls: {
      github: github.url,
      gitlab: gitlab.url,
      linear: linear.apiUrl,
      slack: slack.apiUrl,
      discord: discord.apiUrl,
    },
  };
  const access: Record<IntegrationProvider, Access> = {
    github: { provider: "github", credentials: token(gitHubToken), baseUrl: null },
    gitlab: { provider: "gitlab", credentials: token(gitLabToken), baseUrl: null },
    linear: { provider: "linear", credentials: token(linearToken), baseUrl: null },
    jira: { provider: "jira", credentials: token(jiraToken, jiraEmail), baseUrl: jira.url },
    slack: { provider: "slack", credentials: token(slackToken), baseUrl: null },
    discord: { provider: "discord", credentials: token(discordToken), baseUrl: null },
  };
  return { servers: { github, gitlab, linear, jira, slack, discord }, options, access };
}
