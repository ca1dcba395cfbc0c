import type { WorkspaceRequest } from "@grove/schemas";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";

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

const asked = ["name", "branchName", "existingBranch", "baseBranch"] as const;

/** The workspace that the form begins with: one that was asked for before. */
function earlier(request: unknown): { request?: WorkspaceRequest } {
  if (typeof request !== "object" || request === null) return {};
  const known: WorkspaceRequest = {};
  for (const field of asked) {
    const value: unknown = Reflect.get(request, field);
    if (typeof value === "string") known[field] = value;
  }
  return { request: known };
}

const newWorkspaces = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/new",
  validateSearch: (
    given: Record<string, unknown>,
  ): ReturnType<typeof search> & { request?: WorkspaceRequest } => ({
    ...search(given),
    ...earlier(given.request),
  }),
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

/** The sides of a diff. */
const compared = ({ against, space }: Record<string, unknown>): { against?: "head"; space?: "ignore" } => ({
  ...(against === "head" && { against }),
  ...(space === "ignore" && { space }),
});

const workspaceDiff = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/$workspaceId/diff",
  validateSearch: compared,
  loader: async ({ context, params, location, cause }) => {
    const organizationId = context.organization.id;
    const id = params.workspaceId;
    const [{ deviceId }, devices] = await Promise.all([
      queryClient.ensureQueryData(queries.workspace.get.queryOptions({ organizationId, id })),
      queryClient.ensureQueryData(queries.device.list.queryOptions({ organizationId })),
    ]);
    const isOnline = devices.some((device) => device.id === deviceId && device.status === "online");
    // A pointer that passes over the link is no reason to run git on a machine.
    if (deviceId === null || !isOnline || cause === "preload") return;
    const { against = "base", space } = compared(location.search);
    // The machine is asked while the page is still loading.
    void import("./diffQuery").then(({ diffQuery }) =>
      queryClient.prefetchQuery(
        diffQuery({
          target: { organizationId, deviceId },
          workspaceId: id,
          against,
          ignoreWhitespace: space === "ignore",
        }),
      ),
    );
  },
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
