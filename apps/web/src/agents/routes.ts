import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";
import { pickTexts } from "../lib/pickTexts";

const agents = createRoute({
  getParentRoute: () => organizationRoute,
  path: "agents",
  validateSearch: pickTexts("state", "agent", "device", "view"),
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
  // The initial values of the form. `task` is the id of the agent's task.
  validateSearch: pickTexts("workspace", "agent", "task"),
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
