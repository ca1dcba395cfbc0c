import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { queries, queryClient } from "../app/api";
import { organizationRoute } from "../app/routes";

/** Filters of the list, and choices of the form. */
const search = ({ project, device }: Record<string, unknown>): { project?: string; device?: string } => ({
  ...(typeof project === "string" && { project }),
  ...(typeof device === "string" && { device }),
});

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
  validateSearch: search,
  component: lazyRouteComponent(() => import("./newPage"), "NewWorkspacesPage"),
});

/** The making of workspaces: one command, its progress and its results. */
const making = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/making/$commandId",
  component: lazyRouteComponent(() => import("./makingPage"), "MakingPage"),
});

const workspace = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId",
  loader: ({ context, params }) =>
    queryClient.ensureQueryData(
      queries.workspace.get.queryOptions({
        organizationId: context.organization.id,
        id: params.workspaceId,
      }),
    ),
  component: lazyRouteComponent(() => import("./workspacePage"), "WorkspacePage"),
});

const workspaceDiff = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId/diff",
  validateSearch: ({ against, space }: Record<string, unknown>): { against?: "head"; space?: "ignore" } => ({
    ...(against === "head" && { against }),
    ...(space === "ignore" && { space }),
  }),
  loader: ({ context, params }) =>
    queryClient.ensureQueryData(
      queries.workspace.get.queryOptions({
        organizationId: context.organization.id,
        id: params.workspaceId,
      }),
    ),
  component: lazyRouteComponent(() => import("./diffPage"), "DiffPage"),
});

const deleteWorkspace = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId/delete",
  component: lazyRouteComponent(() => import("./deletePage"), "DeletePage"),
});

export const workspaceRoutes = {
  workspaces,
  newWorkspaces,
  making,
  workspace,
  workspaceDiff,
  deleteWorkspace,
};
