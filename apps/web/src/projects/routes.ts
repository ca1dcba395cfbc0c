import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";

const projects = createRoute({
  getParentRoute: () => organizationRoute,
  path: "projects",
  loader: ({ context }) =>
    queryClient.ensureQueryData(
      queries.project.list.queryOptions({ organizationId: context.organization.id }),
    ),
  component: lazyRouteComponent(() => import("./projectsPage"), "ProjectsPage"),
});

const newProject = createRoute({
  getParentRoute: () => organizationRoute,
  path: "projects/new",
  component: lazyRouteComponent(() => import("./newProjectPage"), "NewProjectPage"),
});

const tabs = ["tasks", "secrets", "scripts"] as const;

const project = createRoute({
  getParentRoute: () => organizationRoute,
  path: "projects/$project",
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: (typeof tabs)[number] } => {
    const known = tabs.find((each) => each === tab);
    return known ? { tab: known } : {};
  },
  loader: ({ context: { organization }, params }) =>
    queryClient.ensureQueryData(
      queries.project.get.queryOptions({ organizationId: organization.id, id: params.project }),
    ),
  component: lazyRouteComponent(() => import("./projectPage"), "ProjectPage"),
});

export const projectRoutes = { projects, newProject, project };
