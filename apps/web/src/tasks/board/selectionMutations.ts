import { DELETED_TASK_DAYS, type Task } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../../hooks/useOrganization";
import { client } from "../../lib/api";
import { applyTaskChange } from "../../live/applyTaskChange";
import { pluralize } from "../../ui/pluralize";
import { errorMessage } from "../../ui/problem";
import { showToast } from "../../ui/showToast";
import type { TaskChange, TaskFields } from "../optimisticTask";
import { changing, deleting } from "../taskMutations";

/** Waits for all calls. Shows one toast about those that failed, and returns the results of the others. */
async function settle<Result>(verb: string, calls: Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(calls);
  const failures = settled.filter(({ status }) => status === "rejected");
  const [first] = failures;
  if (first?.status === "rejected")
    showToast({
      title: `Could not ${verb} ${failures.length} of ${pluralize(calls.length, "task")}`,
      description: errorMessage(first.reason),
    });
  return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

/** A change, with what an undo restores. */
interface ReversibleChange extends TaskChange {
  before: TaskFields;
}

/** Changes the same fields of several tasks, optimistically, and offers one undo. */
export function useChangeTasks(): (tasks: readonly Task[], fields: TaskFields) => void {
  const { id: organizationId } = useOrganization();
  const update = <Change extends TaskChange>(changes: Change[]) =>
    settle(
      "change",
      changes.map(async (change) => {
        const { id, fields } = change;
        const task = await client.task.update.mutate({ organizationId, id, ...fields });
        applyTaskChange(organizationId, { type: "updated", task });
        return change;
      }),
    );
  // Changes of selections and of single tasks run one after the other, so that the last one wins.
  const options = { mutationKey: changing, scope: { id: `tasks ${organizationId}` } };
  const back = useMutation({ ...options, mutationFn: update<TaskChange> });
  const change = useMutation({
    ...options,
    mutationFn: update<ReversibleChange>,
    // Not an option of `mutate`, which does nothing once the menu is closed.
    onSuccess: (changed) => {
      if (changed.length === 0) return;
      const undo = () => back.mutate(changed.map(({ id, before }) => ({ id, fields: before })));
      const title = `Changed ${pluralize(changed.length, "task")}`;
      showToast({ title, action: { title: "Undo", onSelect: undo } });
    },
  });
  return (tasks, fields) => {
    const names = Object.keys(fields) as (keyof TaskFields)[];
    const beforeOf = (task: Task) => Object.fromEntries(names.map((name) => [name, task[name]]));
    change.mutate(tasks.map((task) => ({ id: task.id, fields, before: beforeOf(task) })));
  };
}

/** Deletes several tasks, and offers one undo. */
export function useDeleteTasks(): (tasks: readonly Task[]) => void {
  const { id: organizationId } = useOrganization();
  const restore = (tasks: readonly Task[]) =>
    settle(
      "restore",
      tasks.map(async ({ id }) => {
        const task = await client.task.restore.mutate({ organizationId, id });
        applyTaskChange(organizationId, { type: "created", task });
      }),
    );
  const remove = useMutation({
    mutationKey: deleting,
    mutationFn: (tasks: readonly Task[]) =>
      settle(
        "delete",
        tasks.map(async (task) => {
          await client.task.delete.mutate({ organizationId, id: task.id });
          applyTaskChange(organizationId, { type: "deleted", task });
          return task;
        }),
      ),
    onSuccess: (deleted) => {
      if (deleted.length > 0)
        showToast({
          title: `Deleted ${pluralize(deleted.length, "task")}`,
          description: `You can restore each from its page for ${DELETED_TASK_DAYS} days.`,
          action: { title: "Undo", onSelect: () => void restore(deleted) },
        });
    },
  });
  return remove.mutate;
}
