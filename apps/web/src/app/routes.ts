import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { afterPaint } from "../lib/afterPaint";
import { authQuery, queries, queryClient } from "../lib/api";
import { chooseOrganization, rememberOrganization } from "../lib/lastOrganization";
import { ErrorPage } from "./errorPage";

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import("./notFoundPage"), "NotFoundPage"),
  errorComponent: ErrorPage,
});

/** Pages for which somebody must be signed in. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    const { session } = await queryClient.ensureQueryData(authQuery);
    if (!session) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
    return { user: session.user };
  },
});

/** `/`: the organization that was looked at last. */
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

/** The path of the page that is shown, or that comes. */
let path = "";

/** The parent of every room: the frame, and the organization that the address names. */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "o/$organization",
  beforeLoad: async ({ params, cause, location: { pathname } }) => {
    const isAnother = cause !== "preload" && pathname !== path;
    if (isAnother) path = pathname;
    // The click or the key that leads to another page is answered before that page is drawn, which takes longer. A
    // filter in the address is the state of a field, which must not wait.
    if (isAnother && cause === "stay") await afterPaint();
    const organizations = await queryClient.ensureQueryData(queries.organization.list.queryOptions());
    const organization = organizations.find(({ slug }) => slug === params.organization);
    if (!organization) throw notFound();
    rememberOrganization(organization.slug);
    return { organization };
  },
  // Menus are large, and no page of people who are not signed in has one.
  component: lazyRouteComponent(() => import("./shell"), "Shell"),
});
