import type { WorkspaceRequest } from "@grove/schemas";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";

/** Filters of the list, and preselected values of the form. */
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

const requestFields = ["name", "branchName", "existingBranch", "baseBranch"] as const;

/** Parses a request to prefill the form with, for "Try again". */
function parseRequest(request: unknown): { request?: WorkspaceRequest } {
  if (typeof request !== "object" || request === null) return {};
  const known: WorkspaceRequest = {};
  for (const field of requestFields) {
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
    ...parseRequest(given.request),
  }),
  component: lazyRouteComponent(() => import("./newWorkspacesPage"), "NewWorkspacesPage"),
});

/** One command that creates workspaces, with its progress and results. */
const making = createRoute({
  getParentRoute: () => organizationRoute,
  path: "workspaces/making/$commandId",
  component: lazyRouteComponent(() => import("./creationPage"), "CreationPage"),
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
    // Hovering over a link must not run git on the machine.
    if (deviceId === null || !isOnline || cause === "preload") return;
    const { against = "base", space } = compared(location.search);
    // Starts the machine's work while the page's code is loading.
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
