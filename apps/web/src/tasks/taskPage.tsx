import { errorData } from "@grove/client";
import { DELETED_TASK_DAYS, type Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArchiveRestore, ArrowLeft, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page, useTitle } from "../ui/page";
import { Problem } from "../ui/problem";
import { Description } from "./fields/editableDescription";
import { Title } from "./fields/editableTitle";
import { TaskFieldsPanel } from "./fields/taskFieldsPanel";
import { applyPending } from "./optimisticTask";
import {
  useChangeDescription,
  useChangeTask,
  useDeleteTask,
  usePendingChanges,
  useRestoreTask,
} from "./taskMutations";
import { useStatuses } from "./taskQueries";
import { TaskWorkPanel } from "./taskWorkPanel";

const Activity = lazily(async () => (await import("./activity/activity")).Activity);

const route = getRouteApi("/signed-in/o/$organization/tasks/$task");

export function TaskPage() {
  const { task: slug } = route.useParams();
  const { id: organizationId } = useOrganization();
  const [deleted, setDeleted] = useState<string>();
  const get = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: slug }),
    // While a deletion navigates away, a refetch would show "not found".
    enabled: deleted !== slug,
  });
  const changes = usePendingChanges();
  const statuses = useStatuses();
  const isNotFound = errorData(get.error)?.code === "NOT_FOUND";
  if (isNotFound) return <NotFound slug={slug} />;
  if (get.data)
    return (
      <TaskDetails
        key={get.data.id}
        task={applyPending(get.data, changes, statuses)}
        onDelete={() => setDeleted(slug)}
      />
    );
  return (
    <Page title="Task">
      {get.error && (
        <Problem title="Could not load the task." error={get.error} onRetry={() => void get.refetch()} />
      )}
    </Page>
  );
}

function TaskDetails({ task, onDelete }: { task: Task; onDelete: () => void }) {
  useTitle(task.title);
  const change = useChangeTask();
  const tick = useChangeDescription();
  const remove = useDeleteTask();
  const navigate = route.useNavigate();
  function deleteTask(): void {
    onDelete();
    remove(task);
    // The button disappears, and would take the focus with it.
    void navigate({ to: "..", search: true }).then(() => document.getElementById("main")?.focus());
  }
  useShortcuts({
    title: "Task",
    scope: "page",
    shortcuts: [],
    actions: [{ title: "Delete the task", run: deleteTask }],
  });
  return (
    <div className="flex w-full max-w-6xl flex-col px-4 pb-16 sm:px-6">
      <header className="flex min-h-14 flex-wrap items-start gap-x-3 gap-y-2 py-3">
        <Title title={task.title} onChange={(title) => change(task, { title })} />
        <div className="ml-auto flex items-center gap-2">
          <Back />
          <Button look="quiet" onClick={deleteTask}>
            <Trash2 aria-hidden="true" className="size-4" />
            Delete
          </Button>
        </div>
      </header>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Description
            text={task.description}
            onChange={(description) => change(task, { description })}
            onTick={(description) => tick(task, description)}
          />
          <TaskWorkPanel task={task} />
          <Suspense>
            <Activity taskId={task.id} />
          </Suspense>
        </div>
        <TaskFieldsPanel task={task} onChange={(fields) => change(task, fields)} />
      </div>
    </div>
  );
}

/** Returns to the list with the filter from which the task was opened. */
const Back = () => (
  <Link
    from="/o/$organization/tasks/$task"
    to="/o/$organization/tasks"
    search={true}
    className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-hover hover:text-ink"
  >
    <ArrowLeft aria-hidden="true" className="size-4" />
    Tasks
  </Link>
);

/** Shown for an unknown or deleted task. */
function NotFound({ slug }: { slug: string }) {
  const restore = useRestoreTask();
  return (
    <Page title="Task" lead={<Back />}>
      <EmptyState
        icon={ArchiveRestore}
        title="Task not found"
        action={
          <Button busy={restore.isPending} onClick={() => restore.mutate({ id: slug, title: slug })}>
            Restore it
          </Button>
        }
      >
        It was deleted, or the URL is wrong. A deleted task can be restored for {DELETED_TASK_DAYS} days.
      </EmptyState>
    </Page>
  );
}
