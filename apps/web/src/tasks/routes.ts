import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";
import { listInput, readSearch } from "./filter/taskFilters";

/** The parent of the list and the task page. Both have the filter in their URL, so that "back" restores it. */
const tasks = createRoute({
  getParentRoute: () => organizationRoute,
  path: "tasks",
  validateSearch: readSearch,
  loader: ({ context: { organization } }) =>
    queryClient.ensureQueryData(queries.task.listStatuses.queryOptions({ organizationId: organization.id })),
});

const list = createRoute({
  getParentRoute: () => tasks,
  path: "/",
  loader: ({ context: { organization, user }, location }) => {
    const input = listInput(organization.id, user.id, readSearch(location.search));
    return queryClient.ensureQueryData(queries.task.list.queryOptions(input));
  },
  component: lazyRouteComponent(() => import("./tasksPage"), "TasksPage"),
});

const task = createRoute({
  getParentRoute: () => tasks,
  path: "$task",
  loader: ({ context: { organization }, params }) =>
    // `prefetchQuery` does not throw: the page handles a missing task itself.
    queryClient.prefetchQuery(
      queries.task.get.queryOptions({ organizationId: organization.id, id: params.task }),
    ),
  component: lazyRouteComponent(() => import("./taskPage"), "TaskPage"),
});

export const taskRoutes = { tasks: tasks.addChildren({ list, task }) };
