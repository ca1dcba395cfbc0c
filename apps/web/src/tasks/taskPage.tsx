import { errorData } from "@grove/client";
import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArchiveRestore, ArrowLeft, Trash2 } from "lucide-react";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page, useTitle } from "../ui/page";
import { Problem } from "../ui/problem";
import { useChangeTask, useDeleteTask, usePendingChanges, useRestoreTask } from "./changes";
import { useStatuses } from "./data";
import { Description } from "./description";
import { Fields } from "./fields";
import { withChanges } from "./merge";
import { Title } from "./title";
import { Work } from "./work";

const route = getRouteApi("/signed-in/o/$organization/tasks/$task");

/** A task: its text, its fields, and the place of the work on it. */
export function TaskPage() {
  const { task: slug } = route.useParams();
  const { id: organizationId } = useOrganization();
  const [deleted, setDeleted] = useState<string>();
  const get = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: slug }),
    // The page that deletes it is being left, and must not ask for it until then.
    enabled: deleted !== slug,
  });
  const changes = usePendingChanges();
  const statuses = useStatuses();
  const isGone = errorData(get.error)?.code === "NOT_FOUND";
  if (isGone) return <Gone slug={slug} />;
  if (get.data)
    return (
      <Shown
        key={get.data.id}
        task={withChanges(get.data, changes, statuses)}
        onDelete={() => setDeleted(slug)}
      />
    );
  return (
    <Page title="Task">
      {get.error && (
        <Problem title="The task cannot be shown." error={get.error} onRetry={() => void get.refetch()} />
      )}
    </Page>
  );
}

function Shown({ task, onDelete }: { task: Task; onDelete: () => void }) {
  useTitle(task.title);
  const change = useChangeTask();
  const remove = useDeleteTask();
  const navigate = route.useNavigate();
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col px-4 pb-16 sm:px-6">
      <div className="flex min-h-14 items-center gap-2 py-3">
        <Back />
        <span className="ml-auto">
          <Button
            look="quiet"
            onClick={() => {
              onDelete();
              remove(task);
              // The focus would be lost with this button.
              void navigate({ to: "..", search: true }).then(() => document.getElementById("main")?.focus());
            }}
          >
            <Trash2 aria-hidden="true" className="size-4" />
            Delete
          </Button>
        </span>
      </div>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Title title={task.title} onChange={(title) => change(task, { title })} />
          <Description text={task.description} onChange={(description) => change(task, { description })} />
          <Work task={task} />
        </div>
        <Fields task={task} onChange={(fields) => change(task, fields)} />
      </div>
    </div>
  );
}

/** The way back, to the filter from which the task was opened. */
const Back = () => (
  <Link
    from="/o/$organization/tasks/$task"
    to="/o/$organization/tasks"
    search={true}
    className="-ml-2 flex h-8 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-hover hover:text-ink"
  >
    <ArrowLeft aria-hidden="true" className="size-4" />
    Tasks
  </Link>
);

/** There is no such task, or not any more. */
function Gone({ slug }: { slug: string }) {
  const restore = useRestoreTask();
  return (
    <Page title="Task" lead={<Back />}>
      <Empty
        icon={ArchiveRestore}
        title="This task is not here"
        action={
          <Button busy={restore.isPending} onClick={() => restore.mutate({ id: slug, title: slug })}>
            Restore it
          </Button>
        }
      >
        It was deleted, or its address is wrong. For 30 days, a deleted task can be restored.
      </Empty>
    </Page>
  );
}
