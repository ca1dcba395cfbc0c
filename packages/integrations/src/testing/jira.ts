import { type Received, type Reply, useProviderServer } from "./server";

export const jiraEmail = "fred@example.com";
export const jiraToken = "not-a-real-jira-token";

/** An issue as in Jira's REST API v2 and its webhooks. */
export const jiraIssue = (number: number, site: string) => ({
  id: `${10_000 + number}`,
  key: `ED-${number}`,
  self: `${site}/rest/api/2/issue/${10_000 + number}`,
  fields: {
    summary: `Issue ${number}`,
    description: "Main order flow broken",
    status: {
      name: "In Progress",
      id: "10000",
      statusCategory: { id: 4, key: "indeterminate", colorName: "yellow", name: "In Progress" },
    },
    priority: { name: "Highest", id: "1" },
    assignee: { accountId: "5b10a2844c20165700ede21g", displayName: "Mia Krystof", active: true },
    project: { id: "10000", key: "ED", name: "Edison" },
    updated: "2026-11-20T09:30:00.000+0000",
  },
});

/** The part of Jira Cloud's REST API (developer.atlassian.com/cloud/jira/platform/rest/v2) that the adapter uses. */
export async function useJiraApi() {
  const state = { issues: [] as unknown[], webhooks: new Map<string, Record<string, unknown>>() };
  const basic = `Basic ${Buffer.from(`${jiraEmail}:${jiraToken}`).toString("base64")}`;
  const handle = (request: Received): Reply | undefined => {
    const { method, query, headers, body } = request;
    const path = request.path.replace(/^\/ex\/jira\/[\w-]+/, "");
    if (headers.authorization !== basic && headers.authorization !== `Bearer ${jiraToken}`)
      return {
        status: 401,
        text: "Client must be authenticated to access this resource.",
        headers: { "content-type": "text/plain" },
      };
    const route = `${method} ${path}`;
    if (route === "GET /rest/api/2/myself")
      return {
        json: { accountId: "5b10a2844c20165700ede21g", displayName: "Mia Krystof", emailAddress: jiraEmail },
      };
    if (route === "GET /rest/api/2/project/search") {
      const projects = [
        { id: "10000", key: "ED", name: "Edison" },
        { id: "10001", key: "MKY", name: "Monkey" },
      ];
      const startAt = Number(query.get("startAt"));
      const values = projects.slice(startAt, startAt + 1);
      return { json: { startAt, maxResults: 1, total: 2, isLast: startAt + 1 >= projects.length, values } };
    }
    if (route === "GET /rest/api/2/search/jql") {
      const start = Number(query.get("nextPageToken") ?? 0);
      const end = start + Number(query.get("maxResults"));
      const last = end >= state.issues.length;
      return {
        json: {
          issues: state.issues.slice(start, end),
          isLast: last,
          ...(!last && { nextPageToken: `${end}` }),
        },
      };
    }
    if (route === "GET /rest/api/2/issue/10001") return { json: jiraIssue(1, server.url) };
    if (route === "POST /rest/webhooks/1.0/webhook") {
      const id = `${state.webhooks.size + 72}`;
      state.webhooks.set(id, body as Record<string, unknown>);
      return {
        status: 201,
        json: { name: "Grove", self: `${server.url}/rest/webhooks/1.0/webhook/${id}`, enabled: true },
      };
    }
    const id = /^\/rest\/webhooks\/1\.0\/webhook\/(\d+)$/.exec(path)?.[1] ?? "";
    if (method === "DELETE" && state.webhooks.delete(id)) return { status: 204 };
    return undefined;
  };
  const server = await useProviderServer(handle, {
    errorMessages: ["Issue does not exist or you do not have permission to see it."],
    errors: {},
  });
  state.issues = Array.from({ length: 3 }, (_, number) => jiraIssue(number, server.url));
  return Object.assign(server, { state });
}
