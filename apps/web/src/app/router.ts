import { createRouter } from "@tanstack/react-router";
import { accountRoutes, ownAccountRoutes } from "../account/routes";
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

const rooms = {
  ...nowRoutes,
  ...deviceRoutes,
  ...taskRoutes,
  ...projectRoutes,
  ...workspaceRoutes,
  ...agentRoutes,
  ...settingsRoutes,
};

const routeTree = rootRoute.addChildren({
  ...accountRoutes,
  signedIn: signedInRoute.addChildren({
    home: homeRoute,
    ...pairingRoutes,
    ...ownAccountRoutes,
    ...newOrganizationRoutes,
    organization: organizationRoute.addChildren(rooms),
  }),
});

export const router = createRouter({
  routeTree,
  // A room that fails leaves the frame around it as it is.
  defaultErrorComponent: ErrorPage,
  // A room's code and first list are there when the pointer or the focus is on its link.
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

/** Whether the page on the screen needs a person who is signed in. */
const isInside = () => router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);

/** The way to the sign-in that has begun. Several calls fail together. */
let leaving: Promise<void> | undefined;

sessionEnded.addEventListener("end", () => {
  if (leaving || (!queryClient.getQueryData(authQuery.queryKey)?.session && !isInside())) return;
  leaving = endSession(leaveToSignIn).finally(() => {
    leaving = undefined;
  });
});

async function leaveToSignIn(): Promise<void> {
  await router.invalidate();
  // Another navigation that was in progress may have taken its place.
  if (isInside())
    await router.navigate({ to: "/sign-in", search: { to: router.state.location.href }, replace: true });
}

membershipEnded.addEventListener("end", () => void leaveIfEnded());

/** Shows that the organization was deleted, or that the person was removed from it, if that is so. */
async function leaveIfEnded(): Promise<void> {
  const list = queries.organization.list.queryOptions();
  const organizations = await queryClient.fetchQuery({ ...list, staleTime: 0 }).catch(() => undefined);
  const shown = router.state.matches.find(({ routeId }) => routeId === organizationRoute.id);
  const { organization: slug } = (shown?.params ?? {}) as { organization?: string };
  if (slug !== undefined && organizations?.every((organization) => organization.slug !== slug))
    await router.invalidate();
}
