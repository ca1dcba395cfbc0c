import { Import, Plus, SearchX, SquareKanban } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Board } from "./board/board";
import { isFiltered } from "./filter/activeFilter";
import { TaskFilterBar } from "./filter/taskFilterBar";
import { useTaskSearch } from "./filter/useTaskSearch";
import { ViewSwitch } from "./filter/viewSwitch";
import { ImportIssueDialog, NewTaskDialog } from "./lazyDialogs";
import { useStatuses, useTasks, useTrackers } from "./taskQueries";
import { TaskTable } from "./taskTable";

/** The organization's tasks, as a board or a list. */
export function TasksPage() {
  const { search, clear } = useTaskSearch();
  const { tasks, totals, list } = useTasks(search);
  const statuses = useStatuses();
  const trackers = useTrackers();
  const [isImporting, setImporting] = useState(false);
  // The status of the new task; "" for the organization's first. Undefined while the dialog is closed.
  const [newTaskStatus, setNewTaskStatus] = useState<string>();
  const [isNewTaskLoaded, setNewTaskLoaded] = useState(false);
  if (newTaskStatus !== undefined && !isNewTaskLoaded) setNewTaskLoaded(true);
  useShortcuts({
    title: "Tasks",
    scope: "page",
    shortcuts: [
      { keys: "n", title: "New task", run: () => setNewTaskStatus("") },
      ...(trackers.length > 0
        ? [{ keys: "i", title: "Import an issue", run: () => setImporting(true) }]
        : []),
      ...(search.view ? [] : cardKeys),
    ],
  });
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
      fills={search.view === undefined && !isEmpty}
      actions={
        <>
          <ViewSwitch />
          {importButton}
          <Button look="primary" onClick={() => setNewTaskStatus("")}>
            <Plus aria-hidden="true" className="size-4" />
            New task
          </Button>
        </>
      }
    >
      {(isFiltered(search) || (tasks?.length ?? 0) > 0) && <TaskFilterBar tasks={tasks ?? []} />}
      {list.error && (
        <div className="pb-3">
          <Problem title="Could not load the tasks." error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {tasks && totals && (
        <p className="pb-3 text-muted text-sm">
          Showing {tasks.length} of {totals.byStatus ? totals.all : `${totals.all} or more`} tasks. Filter to
          find the others.
        </p>
      )}
      {isEmpty && (
        <NoTasks
          importButton={importButton}
          onNew={() => setNewTaskStatus("")}
          onClear={isFiltered(search) ? clear : undefined}
        />
      )}
      {tasks &&
        tasks.length > 0 &&
        (search.view === "list" ? (
          <TaskTable tasks={tasks} />
        ) : (
          <Board
            tasks={tasks}
            totals={totals?.byStatus}
            statuses={statuses}
            filter={search}
            onNew={setNewTaskStatus}
          />
        ))}
      {isImporting && <ImportIssueDialog trackers={trackers} onClose={() => setImporting(false)} />}
      {isNewTaskLoaded && (
        <NewTaskDialog status={newTaskStatus} onClose={() => setNewTaskStatus(undefined)} />
      )}
    </Page>
  );
}

interface NoTasksProps {
  importButton: ReactNode;
  onNew: () => void;
  /** Clears the filter. Undefined without a filter. */
  onClear: (() => void) | undefined;
}

function NoTasks({ importButton, onNew, onClear }: NoTasksProps) {
  if (onClear)
    return (
      <EmptyState
        icon={SearchX}
        title="No task matches this filter"
        action={<Button onClick={onClear}>Clear filter</Button>}
      >
        Tasks that do not match are hidden.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SquareKanban}
      title="No tasks yet"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {importButton}
          <Button look="primary" onClick={onNew}>
            Create a task
          </Button>
        </span>
      }
    >
      A task is a piece of work for a person or an agent. It moves across the board from left to right.
    </EmptyState>
  );
}

/** For the shortcut sheet only: `useBoardKeys` handles them on the focused card. */
const cardKeys = [
  { keys: "s", title: "On a card: status" },
  { keys: "p", title: "On a card: priority" },
  { keys: "a", title: "On a card: assignee" },
  { keys: "Space", title: "On a card: pick it up; arrow keys move it, Space drops it" },
  { keys: "x", title: "On a card: select it; Shift+arrow keys select more, Escape clears" },
  { keys: "mod+z", title: "On a card: undo the last move" },
];
