import { Link } from "@tanstack/react-router";
import { Kanban, List } from "lucide-react";
import { useTaskSearch } from "./useTaskSearch";

const views = [
  { view: undefined, title: "Board", icon: Kanban },
  { view: "list", title: "List", icon: List },
] as const;

/** Switches between board and list by URL. */
export function ViewSwitch() {
  const { search } = useTaskSearch();
  return (
    <nav aria-label="View" className="flex rounded-md border border-edge/60 bg-raised p-0.5">
      {views.map(({ view, title, icon: Icon }) => (
        <Link
          key={title}
          from="/o/$organization/tasks"
          to="."
          search={(before) => ({ ...before, view })}
          replace
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          aria-current={search.view === view ? "page" : undefined}
          className="flex h-6.5 items-center gap-1.5 rounded px-2 text-muted text-sm transition-colors hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink"
        >
          <Icon aria-hidden="true" className="size-3.5" />
          {title}
        </Link>
      ))}
    </nav>
  );
}
