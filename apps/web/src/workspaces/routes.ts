import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";
import { pickTexts } from "../lib/pickTexts";
import { workspaceSearch } from "./workspaceSearch";

/** Filters of the list, and preselected values of the form. */
const search = pickTexts("project", "device");

const workspaces = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces",
  validateSearch: search,
  loader: async ({ context }) => {
    const organizationId = context.organization.id;
    await Promise.all([
      queryClient.ensureQueryData(queries.workspace.list.queryOptions({ organizationId })),
      queryClient.ensureQueryData(queries.project.list.queryOptions({ organizationId })),
      queryClient.ensureQueryData(queries.device.list.queryOptions({ organizationId })),
    ]);
  },
  component: lazyRouteComponent(() => import("./workspacesPage"), "WorkspacesPage"),
});

const newWorkspaces = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/new",
  /** `request` prefills the form, for "Try again"; the form parses it. */
  validateSearch: (given: Record<string, unknown>): ReturnType<typeof search> & { request?: unknown } => ({
    ...search(given),
    request: given.request,
  }),
  component: lazyRouteComponent(() => import("./creation/newWorkspacesPage"), "NewWorkspacesPage"),
});

/** One command that creates workspaces, with its progress and results. */
const creating = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/creating/$commandId",
  // In one chunk with the form: each further chunk makes the entry larger.
  component: lazyRouteComponent(() => import("./creation/newWorkspacesPage"), "CreationPage"),
});

const workspace = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId",
  validateSearch: workspaceSearch,
  loader: ({ context, params, location, cause }) => {
    const input = { organizationId: context.organization.id, id: params.workspaceId };
    // Starts the machine's work while the page's code is loading. Hovering over a link must not run git.
    if (cause === "enter")
      void import("./view/prefetchDiff").then(({ prefetchDiff }) =>
        prefetchDiff(input, workspaceSearch(location.search)),
      );
    return queryClient.ensureQueryData(queries.workspace.get.queryOptions(input));
  },
  component: lazyRouteComponent(() => import("./view/workspacePage"), "WorkspacePage"),
});

/** A short address of a workspace's changes, for links from outside. */
const workspaceDiff = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId/diff",
  validateSearch: workspaceSearch,
  beforeLoad: ({ params, search, location: { hash } }) => {
    const to = "/o/$organization/workspaces/$workspaceId";
    throw redirect({ to, params, search: { ...search, only: "changes" }, hash, replace: true });
  },
});

const deleteWorkspace = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId/delete",
  component: lazyRouteComponent(() => import("./deletion/deletePage"), "DeletePage"),
});

export const workspaceRoutes = {
  workspaces,
  newWorkspaces,
  creating,
  workspace,
  workspaceDiff,
  deleteWorkspace,
};
