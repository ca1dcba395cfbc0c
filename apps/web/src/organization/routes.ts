import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute, signedInRoute } from "../app/routes";
import { queryClient } from "../lib/api";
import { pickTexts } from "../lib/pickTexts";
import { membersQuery } from "../lib/queries/membersQuery";

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
  validateSearch: pickTexts("tab", "action", "actor"),
  component: lazyRouteComponent(() => import("./settingsPage"), "SettingsPage"),
});

const notifications = createRoute({
  getParentRoute: () => organizationRoute,
  path: "notifications",
  // In one chunk with the settings: each further chunk makes the entry larger.
  component: lazyRouteComponent(() => import("./settingsPage"), "NotificationsPage"),
});

const newOrganization = createRoute({
  getParentRoute: () => signedInRoute,
  path: "new-organization",
  component: lazyRouteComponent(() => import("./newOrganizationPage"), "NewOrganizationPage"),
});

export const settingsRoutes = { members, keys, settings, notifications };
/** Routes for signed-in users, outside any organization. */
export const newOrganizationRoutes = { newOrganization };
