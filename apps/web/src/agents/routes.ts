import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { queries, queryClient } from "../app/api";
import { organizationRoute } from "../app/routes";

const agents = createRoute({
  getParentRoute: () => organizationRoute,
  path: "agents",
  loader: ({ context }) =>
    queryClient.ensureQueryData(
      queries.agent.listSessions.queryOptions({
        organizationId: context.organization.id,
        status: "running",
      }),
    ),
  component: lazyRouteComponent(() => import("./agentsPage"), "AgentsPage"),
});

const newAgent = createRoute({
  getParentRoute: () => organizationRoute,
  path: "agents/new",
  validateSearch: ({ workspace }: Record<string, unknown>): { workspace?: string } =>
    typeof workspace === "string" ? { workspace } : {},
  component: lazyRouteComponent(() => import("./newAgentPage"), "NewAgentPage"),
});

const agent = createRoute({
  getParentRoute: () => organizationRoute,
  path: "agents/$sessionId",
  loader: ({ context, params }) =>
    queryClient.ensureQueryData(
      queries.agent.getSession.queryOptions({
        organizationId: context.organization.id,
        id: params.sessionId,
      }),
    ),
  component: lazyRouteComponent(() => import("./agentPage"), "AgentPage"),
});

export const agentRoutes = { agents, newAgent, agent };
