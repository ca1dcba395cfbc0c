import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { pickTexts } from "../lib/pickTexts";

/** The pages of the instance's admins, in the frame of the organization that the user comes from. */
const admin = createRoute({
  getParentRoute: () => organizationRoute,
  path: "admin",
  validateSearch: pickTexts("tab"),
  component: lazyRouteComponent(() => import("./adminPage"), "AdminPage"),
});

export const adminRoutes = { admin };
