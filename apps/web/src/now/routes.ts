import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queryClient } from "../lib/api";
import { runningSessions } from "../lib/runningSessions";

/** `/o/acme`: the organization's home. */
const now = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  loader: ({ context }) => queryClient.ensureQueryData(runningSessions(context.organization.id)),
  component: lazyRouteComponent(() => import("./nowPage"), "NowPage"),
});

export const nowRoutes = { now };
