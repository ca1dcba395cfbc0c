import * as z from "zod";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { ProviderError } from "../errors";
import { collect, MAX_ITEMS } from "../pages";
import type { Tracker } from "../ports";
import { issueFields, toIssue } from "./issue";

const PAGE = 100;

const page = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});

/**
 * The adapter, on Linear's SDK. Issues are read with a query of our own: the SDK's models would make further requests
 * for the state, the assignee and the team of each issue.
 */
export async function openLinear(credentials: Credentials, { apiUrl, fetch }: CallContext): Promise<Tracker> {
  const { LinearSdk } = await import("@linear/sdk");
  if (credentials.type === "app") throw new ProviderError("unauthorized");
  // linear.app/developers/graphql: an API key is sent without a scheme, an OAuth token as Bearer.
  const authorization =
    credentials.type === "token" ? credentials.token : `Bearer ${credentials.accessToken}`;
  const request = async <Data>(query: unknown, variables?: Record<string, unknown>): Promise<Data> => {
    const response = await fetch(apiUrl, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ query: String(query), variables }),
    });
    return z.object({ data: z.looseObject({}) }).parse(await response.json()).data as Data;
  };
  const sdk = new LinearSdk(request);

  async function* issuePages(teamId: string | undefined) {
    const filter = teamId === undefined ? undefined : { team: { id: { eq: teamId } } };
    for (let after: string | null | undefined; after !== null; ) {
      const { issues } = await request<{ issues: unknown }>(
        `query ($first: Int!, $after: String, $filter: IssueFilter) {
          issues(first: $first, after: $after, filter: $filter, orderBy: updatedAt) {
            nodes { ${issueFields} } pageInfo { hasNextPage endCursor } } }`,
        { first: PAGE, after, filter },
      );
      const { nodes, pageInfo } = page.parse(issues);
      yield nodes;
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    }
  }

  return {
    account: async () => {
      const { id, name } = await sdk.organization;
      return z.object({ id: z.string(), name: z.string() }).parse({ id, name });
    },

    listTeams: async () => {
      const teams = await sdk.teams({ first: 250 });
      while (teams.pageInfo.hasNextPage && teams.nodes.length < MAX_ITEMS) await teams.fetchNext();
      return teams.nodes.map(({ id, key, name }) => ({ id, key, name }));
    },

    listIssues: async ({ teamId }) => (await collect(issuePages(teamId))).map(toIssue),

    getIssue: async (id) => {
      const { issue } = await request<{ issue: unknown }>(
        `query ($id: String!) { issue(id: $id) { ${issueFields} } }`,
        { id },
      );
      return toIssue(issue);
    },

    createWebhook: async ({ url, secret }) => {
      const input = { url, secret, label: "Grove", resourceTypes: ["Issue"], allPublicTeams: true };
      const { webhookId } = await sdk.createWebhook(input);
      return z.string().parse(webhookId);
    },

    deleteWebhook: async (id) => {
      await sdk.deleteWebhook(id);
    },
  };
}
