import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queryClient } from "../lib/api";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";

/** `/o/acme`: the organization's home. */
const now = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  loader: ({ context }) => queryClient.ensureQueryData(runningSessionsQuery(context.organization.id)),
  component: lazyRouteComponent(() => import("./nowPage"), "NowPage"),
});

/** `/o/acme/requests/…`: one request of an agent, for links in messages. */
const request = createRoute({
  getParentRoute: () => organizationRoute,
  path: "requests/$requestId",
  component: lazyRouteComponent(() => import("./requests/requestPage"), "RequestPage"),
});

export const nowRoutes = { now, request };
