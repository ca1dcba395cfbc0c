import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { queries, queryClient } from "../app/api";
import { organizationRoute } from "../app/routes";

const devices = createRoute({
  getParentRoute: () => organizationRoute,
  path: "devices",
  loader: ({ context }) =>
    queryClient.ensureQueryData(
      queries.device.list.queryOptions({ organizationId: context.organization.id }),
    ),
  component: lazyRouteComponent(() => import("./devicesPage"), "DevicesPage"),
});

export const deviceRoutes = { devices };
