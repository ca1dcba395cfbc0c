import { createHmac } from "node:crypto";
import { gitHubToken, jiraEmail, jiraToken, useGitHubApi, useJiraApi } from "@grove/integrations/testing";
import type { someone } from "./people";

/** Fake Jira and GitHub servers, and the API's variables for them. */
export async function useProviders() {
  const [jira, github] = await Promise.all([useJiraApi(), useGitHubApi()]);
  return {
    /** The address at which GitHub's API is served. */
    gitHubUrl: github.url,
    /** The repositories at GitHub whose pull requests are opened and merged. */
    hosted: github.state.hosted,
    env: {
      PUBLIC_URL: "http://grove.example.com",
      PRIVATE_PROVIDER_HOSTS: [jira, github, github.storage].map(({ url }) => new URL(url).host).join(),
    },

    /**
     * Connects a user's organization to both.
     * @returns a function that sends GitHub's webhook for a merged pull request with this text
     */
    async connect({ client, organizationId }: Awaited<ReturnType<typeof someone>>, apiUrl: string) {
      const { connect, codehost } = client.integration;
      const atJira = { provider: "jira", token: jiraToken, email: jiraEmail, baseUrl: jira.url } as const;
      await connect.mutate({ organizationId, ...atJira });
      await connect.mutate({ organizationId, provider: "github", token: gitHubToken, baseUrl: github.url });
      const events = ["pull_request"];
      const hook = { organizationId, repoOwner: "octocat", repoName: "Hello-World", events };
      const { id } = await codehost.createWebhook.mutate(hook);
      return (text: string) => this.deliverMergedPull(apiUrl, id, text);
    },

    /** Sends GitHub's newest webhook for a merged pull request of this repository with this text. */
    async deliverMergedPull(apiUrl: string, webhookId: string, text: string, name = "Hello-World") {
      const repository = { owner: { login: "octocat" }, name, full_name: `octocat/${name}` };
      const repo = { id: 1 };
      const pull = {
        number: 1,
        state: "closed",
        merged: true,
        title: "Amazing new feature",
        body: text,
        html_url: `${github.url}/pull/1`,
      };
      const refs = { head: { ref: "new-topic", repo }, base: { ref: "main", repo } };
      const pull_request = { ...pull, ...refs, updated_at: new Date().toISOString() };
      const payload = { action: "closed", number: 1, pull_request, repository };
      await this.deliver(apiUrl, webhookId, "pull_request", payload);
    },

    /** Posts a delivery of GitHub's newest webhook. */
    async deliver(apiUrl: string, webhookId: string, event: string, payload: object) {
      const { config } = [...github.state.hooks.values()].at(-1) as { config: { secret: string } };
      const body = JSON.stringify(payload);
      const response = await fetch(`${apiUrl}/api/webhooks/${webhookId}`, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-github-event": event,
          "x-github-delivery": crypto.randomUUID(),
          "x-hub-signature-256": `sha256=${createHmac("sha256", config.secret).update(body).digest("hex")}`,
        },
      });
      if (!response.ok) throw new Error(`the delivery was refused: ${await response.text()}`);
    },
  };
}
