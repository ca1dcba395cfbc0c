import * as z from "zod";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { ProviderError } from "../errors";
import { collect } from "../pages";
import type { Tracker } from "../ports";
import { issueFields, toIssue } from "./issue";

const PAGE = 100;

const issuePage = z.object({ issues: z.array(z.unknown()), nextPageToken: z.string().nullish() });
const projectPage = z.object({
  values: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })),
  isLast: z.boolean().optional(),
});
const hook = z.object({ self: z.string().regex(/\/\d+$/) });

/** The adapter for Jira Cloud, on jira.js. Jira's projects are the teams. */
export async function openJira(credentials: Credentials, { apiUrl, fetch }: CallContext): Promise<Tracker> {
  const { Version2Client } = await import("jira.js");
  if (credentials.type === "app") throw new ProviderError("unauthorized");
  const site = credentials.type === "oauth" ? credentials.site : undefined;
  const siteUrl = site?.url ?? apiUrl;
  // OAuth tokens are only valid at Atlassian's gateway, which addresses a site by its id.
  const host = site ? `${apiUrl}/ex/jira/${site.id}` : apiUrl;
  const baseRequestConfig = { adapter: "fetch", env: { fetch }, maxRedirects: 0 };
  const client = new Version2Client(
    credentials.type === "token"
      ? {
          host,
          baseRequestConfig,
          authentication: { basic: { email: credentials.email ?? "", apiToken: credentials.token } },
        }
      : { host, baseRequestConfig, authentication: { oauth2: { accessToken: credentials.accessToken } } },
  );

  async function* issuePages(teamId: string | undefined) {
    const jql = `${teamId === undefined ? "created >= 1970-01-01" : `project = "${teamId}"`} order by updated desc`;
    for (let nextPageToken: string | null | undefined; nextPageToken !== null; ) {
      const found = await client.issueSearch.searchForIssuesUsingJqlEnhancedSearch({
        jql,
        fields: issueFields,
        maxResults: PAGE,
        nextPageToken,
      });
      const { issues, nextPageToken: next } = issuePage.parse(found);
      yield issues;
      nextPageToken = next ?? null;
    }
  }

  async function* projectPages() {
    for (let startAt = 0; ; ) {
      const found = await client.projects.searchProjects({ startAt, maxResults: PAGE, orderBy: "key" });
      const { values, isLast } = projectPage.parse(found);
      yield values.map(({ id, key, name }) => ({ id, key, name }));
      startAt += values.length;
      if (isLast !== false || values.length === 0) return;
    }
  }

  return {
    account: async () => {
      // A site's info is visible even without access, so this reads the user instead.
      z.object({ accountId: z.string() }).parse(await client.myself.getCurrentUser());
      return { id: site?.id ?? apiUrl, name: new URL(siteUrl).host };
    },

    listTeams: () => collect(projectPages()),

    listIssues: async ({ teamId }) =>
      (await collect(issuePages(teamId))).map((found) => toIssue(found, siteUrl)),

    getIssue: async (id) =>
      toIssue(await client.issues.getIssue({ issueIdOrKey: id, fields: issueFields }), siteUrl),

    createWebhook: async ({ url, secret }) => {
      if (credentials.type === "oauth")
        throw new ProviderError("refused", { detail: "webhooks require an administrator's API token" });
      const response = await client.sendRequestFullResponse({
        method: "POST",
        url: "/rest/webhooks/1.0/webhook",
        data: {
          name: "Grove",
          url,
          secret,
          events: ["jira:issue_created", "jira:issue_updated"],
          excludeBody: false,
        },
      });
      return hook.parse(response.data).self.replace(/^.*\//, "");
    },

    deleteWebhook: async (id) => {
      await client.sendRequestFullResponse({
        method: "DELETE",
        url: `/rest/webhooks/1.0/webhook/${Number(id)}`,
      });
    },
  };
}
