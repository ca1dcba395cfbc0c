import { Link } from "@tanstack/react-router";
import { Import, Kanban, List, Plus, SearchX, SquareKanban } from "lucide-react";
import { useState } from "react";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Board } from "./board";
import { FilterBar } from "./filterBar";
import { isFiltered } from "./filters";
import { ImportIssue, NewTask } from "./lazyDialogs";
import { useStatuses, useTasks, useTrackers } from "./taskQueries";
import { TaskTable } from "./taskTable";
import { useTaskSearch } from "./useTaskSearch";

/** The organization's tasks, as a board or a list. */
export function TasksPage() {
  const { search, clear } = useTaskSearch();
  const { tasks, all, list } = useTasks(search);
  const statuses = useStatuses();
  const trackers = useTrackers();
  const [isImporting, setImporting] = useState(false);
  // The status of the new task; "" for the organization's first. Undefined while the dialog is closed.
  const [newIn, setNewIn] = useState<string>();
  const [hasOpened, setOpened] = useState(false);
  if (newIn !== undefined && !hasOpened) setOpened(true);
  useShortcuts({
    title: "Tasks",
    scope: "page",
    shortcuts: [
      { keys: "n", title: "New task", run: () => setNewIn("") },
      ...(trackers.length > 0
        ? [{ keys: "i", title: "Import an issue", run: () => setImporting(true) }]
        : []),
      ...(search.view ? [] : cardKeys),
    ],
  });
  const filtered = isFiltered(search);
  const isEmpty = tasks?.length === 0 && !list.isPlaceholderData;
  const importButton = trackers.length > 0 && (
    <Button onClick={() => setImporting(true)}>
      <Import aria-hidden="true" className="size-4" />
      Import an issue
    </Button>
  );
  return (
    <Page
      title="Tasks"
      wide
      actions={
        <>
          <Views />
          {importButton}
          <Button look="primary" onClick={() => setNewIn("")}>
            <Plus aria-hidden="true" className="size-4" />
            New task
          </Button>
        </>
      }
    >
      {(filtered || (tasks?.length ?? 0) > 0) && <FilterBar tasks={tasks ?? []} />}
      {list.error && (
        <div className="pb-3">
          <Problem
            title="Could not load the current tasks."
            error={list.error}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      {tasks && all && (
        <p className="pb-3 text-muted text-sm">
          Showing {tasks.length} of {all.byStatus ? all.total : `${all.total} or more`} tasks. Filter to find
          the others.
        </p>
      )}
      {isEmpty && filtered && (
        <Empty
          icon={SearchX}
          title="No task matches this filter"
          action={<Button onClick={clear}>Clear the filter</Button>}
        >
          Tasks that do not match are hidden.
        </Empty>
      )}
      {isEmpty && !filtered && (
        <Empty
          icon={SquareKanban}
          title="No tasks yet"
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {importButton}
              <Button look="primary" onClick={() => setNewIn("")}>
                Make the first task
              </Button>
            </span>
          }
        >
          A task is a piece of work for a person or an agent. It moves across the board from left to right.
        </Empty>
      )}
      {tasks &&
        tasks.length > 0 &&
        (search.view === "list" ? (
          <TaskTable tasks={tasks} />
        ) : (
          <Board tasks={tasks} totals={all?.byStatus} statuses={statuses} filter={search} onNew={setNewIn} />
        ))}
      {isImporting && <ImportIssue trackers={trackers} onClose={() => setImporting(false)} />}
      {hasOpened && <NewTask status={newIn} onClose={() => setNewIn(undefined)} />}
    </Page>
  );
}

/** For the shortcut sheet only: `useBoardKeys` handles them on the focused card. */
const cardKeys = [
  { keys: "s", title: "On a card: status" },
  { keys: "p", title: "On a card: priority" },
  { keys: "a", title: "On a card: assignee" },
  { keys: "Space", title: "On a card: lift it; arrow keys move it, Space drops it" },
  { keys: "mod+z", title: "On a card: undo the last move" },
];

const views = [
  { view: undefined, title: "Board", icon: Kanban },
  { view: "list", title: "List", icon: List },
] as const;

/** Switches between board and list by URL. */
function Views() {
  const { search } = useTaskSearch();
  return (
    <nav aria-label="View" className="flex rounded-md border border-edge/60 bg-raised p-0.5">
      {views.map(({ view, title, icon: Icon }) => (
        <Link
          key={title}
          from="/o/$organization/tasks"
          to="."
          search={(known) => ({ ...known, view })}
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
