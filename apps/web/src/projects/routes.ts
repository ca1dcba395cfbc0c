import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { queries, queryClient } from "../app/api";
import { organizationRoute } from "../app/routes";

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

export const projectRoutes = { projects, newProject };
