import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute, signedInRoute } from "../app/routes";
import { queryClient } from "../lib/api";
import { membersQuery } from "../lib/members";

const members = createRoute({
  getParentRoute: () => organizationRoute,
  path: "members",
  loader: ({ context }) => queryClient.ensureQueryData(membersQuery(context.organization.id)),
  component: lazyRouteComponent(() => import("./membersPage"), "MembersPage"),
});

const keys = createRoute({
  getParentRoute: () => organizationRoute,
  path: "keys",
  loader: async ({ context }) => {
    const { keysQuery } = await import("./apiKeysQuery");
    await queryClient.ensureInfiniteQueryData(keysQuery(context.organization.id));
  },
  component: lazyRouteComponent(() => import("./keysPage"), "KeysPage"),
});

const settings = createRoute({
  getParentRoute: () => organizationRoute,
  path: "settings",
  component: lazyRouteComponent(() => import("./settingsPage"), "SettingsPage"),
});

const newOrganization = createRoute({
  getParentRoute: () => signedInRoute,
  path: "new-organization",
  component: lazyRouteComponent(() => import("./newOrganizationPage"), "NewOrganizationPage"),
});

/** Routes inside an organization. */
export const settingsRoutes = { members, keys, settings };
/** Routes for signed-in users, outside any organization. */
export const newOrganizationRoutes = { newOrganization };
