import { getRouteApi } from "@tanstack/react-router";
import type { TaskSearch } from "./taskFilters";

const route = getRouteApi("/signed-in/o/$organization/tasks");

export const searchFieldId = "search-tasks";

/** The filter and the view, kept in the URL. */
export function useTaskSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const setSearch = (change: Partial<TaskSearch>) =>
    void navigate({ to: ".", search: (known: TaskSearch) => ({ ...known, ...change }), replace: true });
  const clear = () => {
    // The "Clear" button disappears with the filter, which would lose the focus.
    document.getElementById(searchFieldId)?.focus();
    void navigate({ to: ".", search: ({ view }: TaskSearch) => (view ? { view } : {}), replace: true });
  };
  return { search, setSearch, clear };
}
