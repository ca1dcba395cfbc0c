import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { queryClient } from "../app/api";
import { organizationRoute } from "../app/routes";
import { runningAgents } from "../app/running";

/** `/o/acme`: the organization's home. */
const now = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  loader: ({ context }) => queryClient.ensureQueryData(runningAgents(context.organization.id)),
  component: lazyRouteComponent(() => import("./nowPage"), "NowPage"),
});

export const nowRoutes = { now };
