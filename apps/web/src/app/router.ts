import { createRouter, defaultStringifySearch } from "@tanstack/react-router";
import { accountRoutes, ownAccountRoutes, standaloneAccountRoutes } from "../account/routes";
import { adminRoutes } from "../admin/routes";
import { agentRoutes } from "../agents/routes";
import { deviceRoutes, pairingRoutes } from "../devices/routes";
import { authQuery, endSession, membershipEnded, queries, queryClient, sessionEnded } from "../lib/api";
import { nowRoutes } from "../now/routes";
import { newOrganizationRoutes, settingsRoutes } from "../organization/routes";
import { projectRoutes } from "../projects/routes";
import { taskRoutes } from "../tasks/routes";
import { workspaceRoutes } from "../workspaces/routes";
import { ErrorPage } from "./errorPage";
import { homeRoute, organizationRoute, rootRoute, signedInRoute } from "./routes";

const features = {
  ...nowRoutes,
  ...deviceRoutes,
  ...taskRoutes,
  ...projectRoutes,
  ...workspaceRoutes,
  ...agentRoutes,
  ...settingsRoutes,
  ...ownAccountRoutes,
  ...adminRoutes,
};

const routeTree = rootRoute.addChildren({
  ...accountRoutes,
  signedIn: signedInRoute.addChildren({
    home: homeRoute,
    ...pairingRoutes,
    ...standaloneAccountRoutes,
    ...newOrganizationRoutes,
    organization: organizationRoute.addChildren(features),
  }),
});

/** Repeats a parameter that has several values: `?priority=high&priority=low`. */
function stringifySearch(search: Record<string, unknown>): string {
  const parameters = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().map((each) => defaultStringifySearch({ [name]: each }).slice(1)),
  );
  const text = parameters.filter((parameter) => parameter !== "").join("&");
  return text && `?${text}`;
}

export const router = createRouter({
  routeTree,
  stringifySearch,
  // An error in a page does not replace the frame around it.
  defaultErrorComponent: ErrorPage,
  // Loads a page's code and first list when its link is hovered or focused.
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const requiresSession = () => router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);

/** The navigation to the sign-in, if one is in progress: several calls fail together. */
let leavingPage: Promise<void> | undefined;

sessionEnded.addEventListener("end", () => {
  if (leavingPage || (!queryClient.getQueryData(authQuery.queryKey)?.session && !requiresSession())) return;
  leavingPage = endSession(leaveToSignIn, true).finally(() => {
    leavingPage = undefined;
  });
});

async function leaveToSignIn(): Promise<void> {
  await router.invalidate();
  // Another navigation may have replaced the redirect.
  if (requiresSession())
    await router.navigate({ to: "/sign-in", search: { to: router.state.location.href }, replace: true });
}

membershipEnded.addEventListener("end", () => void invalidateIfMembershipEnded());

/** Reloads the routes if the user is no longer a member of the organization, which shows "Page not found". */
async function invalidateIfMembershipEnded(): Promise<void> {
  const list = queries.organization.list.queryOptions();
  const organizations = await queryClient.fetchQuery({ ...list, staleTime: 0 }).catch(() => undefined);
  const currentRoute = router.state.matches.find(({ routeId }) => routeId === organizationRoute.id);
  const { organization: slug } = (currentRoute?.params ?? {}) as { organization?: string };
  if (slug !== undefined && organizations?.every((organization) => organization.slug !== slug))
    await router.invalidate();
}
