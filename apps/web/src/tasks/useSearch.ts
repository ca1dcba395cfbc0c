import { getRouteApi } from "@tanstack/react-router";
import type { TaskSearch } from "./filters";

const room = getRouteApi("/signed-in/o/$organization/tasks");

export const searchFieldId = "search-tasks";

/** The filter and the view, which stand in the address. */
export function useSearch() {
  const search = room.useSearch();
  const navigate = room.useNavigate();
  const setSearch = (change: Partial<TaskSearch>) =>
    void navigate({ to: ".", search: (known: TaskSearch) => ({ ...known, ...change }), replace: true });
  const clear = () => {
    // The button that clears goes with the filter, and must not take the focus with it.
    document.getElementById(searchFieldId)?.focus();
    void navigate({ to: ".", search: ({ view }: TaskSearch) => (view ? { view } : {}), replace: true });
  };
  return { search, setSearch, clear };
}
