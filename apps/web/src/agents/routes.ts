import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";

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

/** The initial values of the form. */
interface NewAgent {
  workspace?: string;
  agent?: string;
  /** The id of the agent's task. */
  task?: string;
}

const newAgent = createRoute({
  getParentRoute: () => organizationRoute,
  path: "agents/new",
  validateSearch: ({ workspace, agent, task }: Record<string, unknown>): NewAgent => ({
    ...(typeof workspace === "string" && { workspace }),
    ...(typeof agent === "string" && { agent }),
    ...(typeof task === "string" && { task }),
  }),
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
