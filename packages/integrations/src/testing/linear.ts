import { type Received, type Reply, useProviderServer } from "./server";

export const linearToken = "lin_api_0123456789abcdef0123456789abcdef01234567";
export const linearTeam = { id: "72b2a2dc-6f4f-4423-9d34-24b5bd10634a", key: "LIN", name: "Linear" };

const linearOrganization = {
  id: "f8b9f0a0-0000-4000-8000-000000000001",
  name: "Acme",
  urlKey: "acme",
  createdAt: "2020-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  allowedAuthServices: [],
  projectStatuses: [],
};

/** An issue as in Linear's GraphQL schema, with the fields of the adapter's query. */
export const linearIssue = (number: number) => ({
  id: `2174add1-f7c8-44e3-bbf3-${String(number).padStart(12, "0")}`,
  identifier: `LIN-${number}`,
  title: `Issue ${number}`,
  description: "A *description*",
  priority: 2,
  url: `https://linear.app/acme/issue/LIN-${number}/issue-${number}`,
  updatedAt: "2026-11-20T09:30:00.000Z",
  state: { name: "In Progress", type: "started" },
  assignee: { name: "Ada Lovelace" },
  team: { id: linearTeam.id },
});

/** The part of Linear's GraphQL API (linear.app/developers) that the adapter uses. */
export async function useLinearApi() {
  const state = {
    authorization: linearToken,
    issues: Array.from({ length: 3 }, (_, number) => linearIssue(number)) as unknown[],
    webhooks: new Map<string, Record<string, unknown>>(),
  };
  const failed = (message: string, type: string, code: string, status = 200): Reply => ({
    status,
    json: {
      errors: [{ message, path: [], extensions: { type, code, userPresentableMessage: message } }],
      data: null,
    },
  });
  const handle = ({ method, path, headers, body }: Received): Reply | undefined => {
    if (method !== "POST" || path !== "/graphql") return undefined;
    if (headers.authorization !== state.authorization)
      return failed(
        "Authentication required, not authenticated",
        "authentication error",
        "AUTHENTICATION_ERROR",
        401,
      );
    const { query, variables = {} } = body as { query: string; variables?: Record<string, unknown> };
    const root = /\{\s*(\w+)/.exec(query)?.[1];
    if (root === "organization") return { json: { data: { organization: linearOrganization } } };
    if (root === "teams")
      return {
        json: {
          data: {
            teams: { nodes: [linearTeam], pageInfo: { hasNextPage: false, endCursor: linearTeam.id } },
          },
        },
      };
    if (root === "issues") {
      const start = Number(variables.after ?? 0);
      const end = start + Number(variables.first);
      const pageInfo = { hasNextPage: end < state.issues.length, endCursor: `${end}` };
      return { json: { data: { issues: { nodes: state.issues.slice(start, end), pageInfo } } } };
    }
    if (root === "issue") {
      const issue = (state.issues as ReturnType<typeof linearIssue>[]).find(
        ({ id, identifier }) => id === variables.id || identifier === variables.id,
      );
      return issue
        ? { json: { data: { issue } } }
        : failed("Entity not found: Issue", "invalid input", "INPUT_ERROR");
    }
    if (root === "webhookCreate") {
      const id = `8a1d3b9e-0000-4000-8000-${String(state.webhooks.size).padStart(12, "0")}`;
      state.webhooks.set(id, variables.input as Record<string, unknown>);
      return { json: { data: { webhookCreate: { success: true, lastSyncId: 1, webhook: { id } } } } };
    }
    if (root === "webhookDelete")
      return state.webhooks.delete(String(variables.id))
        ? { json: { data: { webhookDelete: { success: true, entityId: variables.id, lastSyncId: 1 } } } }
        : failed("Entity not found: Webhook", "invalid input", "INPUT_ERROR");
    return failed(`Cannot query field "${root}"`, "graphql error", "GRAPHQL_VALIDATION_FAILED", 400);
  };
  const server = await useProviderServer(handle);
  return Object.assign(server, { state, apiUrl: `${server.url}/graphql` });
}
