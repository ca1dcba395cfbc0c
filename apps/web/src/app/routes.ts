import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { authQuery, queries, queryClient } from "../lib/api";
import { chooseOrganization, rememberOrganization } from "../lib/browser/lastOrganization";
import { afterPaint } from "./afterPaint";
import { ErrorPage } from "./errorPage";

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import("./notFoundPage"), "NotFoundPage"),
  errorComponent: ErrorPage,
});

/** The parent of pages that require a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    const { session } = await queryClient.ensureQueryData(authQuery);
    if (!session) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
    return { user: session.user };
  },
});

/** `/`: redirects to the last visited organization. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  beforeLoad: async () => {
    const organizations = await queryClient.ensureQueryData(queries.organization.list.queryOptions());
    const organization = chooseOrganization(organizations);
    if (!organization) throw redirect({ to: "/new-organization", replace: true });
    throw redirect({ to: "/o/$organization", params: { organization: organization.slug }, replace: true });
  },
});

/** The path of the current page, or of the navigation in progress. */
let currentPath = "";

/** The parent of all pages of an organization. It renders the frame and loads the organization in the address. */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "o/$organization",
  beforeLoad: async ({ params, cause, location: { pathname } }) => {
    const isNewPage = cause !== "preload" && pathname !== currentPath;
    if (isNewPage) currentPath = pathname;
    // Paints the response to the click or the key before the next page is rendered, which takes longer. A changed
    // filter is the state of a field, and must not wait.
    if (isNewPage && cause === "stay") await afterPaint();
    const organizations = await queryClient.ensureQueryData(queries.organization.list.queryOptions());
    const organization = organizations.find(({ slug }) => slug === params.organization);
    if (!organization) throw notFound();
    rememberOrganization(organization.slug);
    return { organization };
  },
  // Loaded lazily: menus are large, and pages without a session have none.
  component: lazyRouteComponent(() => import("./shell"), "Shell"),
});
