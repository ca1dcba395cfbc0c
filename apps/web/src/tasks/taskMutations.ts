import type { Task } from "@grove/schemas";
import { useMutation, useMutationState } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { client } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { errorMessage } from "../ui/problem";
import { showToast } from "../ui/toast";
import type { Move, Position } from "./boardPosition";
import type { TaskChange } from "./optimisticTask";

const changing = ["change a task"];
const deleting = ["delete a task"];
const moving = ["move a task"];

/** Updates in flight, oldest first. */
export const usePendingChanges = (): TaskChange[] =>
  useMutationState({
    filters: { mutationKey: changing, status: "pending" },
    select: ({ state }) => state.variables as TaskChange,
  });

/** Ids of the tasks with a deletion in flight. */
export const usePendingDeletions = (): string[] =>
  useMutationState({
    filters: { mutationKey: deleting, status: "pending" },
    select: ({ state }) => (state.variables as Task).id,
  });

/** Updates a task optimistically. If the API refuses, the change is rolled back and a toast shows the reason. */
export function useChangeTask(): (task: Task, fields: TaskChange["fields"]) => void {
  const { id: organizationId } = useOrganization();
  const change = useMutation({
    mutationKey: changing,
    mutationFn: ({ id, fields }: TaskChange & { title: string }) =>
      client.task.update.mutate({ organizationId, id, ...fields }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "updated", task }),
    onError: (error, { title }) =>
      showToast({ title: `Could not change “${title}”`, description: errorMessage(error) }),
  });
  return ({ id, title }, fields) => change.mutate({ id, title, fields });
}

/** A move, with what an undo and its toast need. */
interface Moved extends Move {
  title: string;
  from: Position;
}

/** Moves in flight, oldest first. */
export const usePendingMoves = (): Move[] =>
  useMutationState({
    filters: { mutationKey: moving, status: "pending" },
    select: ({ state }) => state.variables as Moved,
  });

/** The last move, until it is undone. */
let last: { takeBack: () => void; closeMessage: () => void } | undefined;

/** Undoes the last move. */
export function undoMove(): void {
  const move = last;
  last = undefined;
  move?.closeMessage();
  move?.takeBack();
}

/** Moves a card optimistically, and offers an undo. */
export function useMoveTask(): (move: Moved) => void {
  const { id: organizationId } = useOrganization();
  const options = {
    mutationKey: moving,
    // Moves run one after the other: the card above may itself have a move in flight.
    scope: { id: organizationId },
    mutationFn: ({ id, status, after }: Moved) =>
      client.task.move.mutate({ organizationId, id, status, ...(after !== undefined && { after }) }),
    onError: (error: Error, { title }: Moved) => {
      showToast({ title: `Could not move “${title}”`, description: errorMessage(error) });
    },
  };
  const show = (task: Task) => applyTaskChange(organizationId, { type: "updated", task });
  const back = useMutation({ ...options, onSuccess: show });
  const move = useMutation({
    ...options,
    onSuccess: (task, { id, title, from, ...to }) => {
      show(task);
      last?.closeMessage();
      last = {
        closeMessage: showToast({ title: `Moved “${title}”`, action: { title: "Undo", onSelect: undoMove } }),
        takeBack: () => back.mutate({ id, title, ...from, from: to }),
      };
    },
  });
  return move.mutate;
}

/** Deletes a task, and offers an undo. */
export function useDeleteTask(): (task: Task) => void {
  const { id: organizationId } = useOrganization();
  const restore = useRestoreTask();
  const remove = useMutation({
    mutationKey: deleting,
    mutationFn: ({ id }: Task) => client.task.delete.mutate({ organizationId, id }),
    onSuccess: (_, task) => {
      applyTaskChange(organizationId, { type: "deleted", task });
      showToast({
        title: `Deleted “${task.title}”`,
        description: "You can restore it from its page for 30 days.",
        action: { title: "Undo", onSelect: () => restore.mutate(task) },
      });
    },
    onError: (error, { title }) =>
      showToast({ title: `Could not delete “${title}”`, description: errorMessage(error) }),
  });
  return remove.mutate;
}

/** Restores a deleted task. */
export function useRestoreTask() {
  const { id: organizationId } = useOrganization();
  return useMutation({
    mutationFn: ({ id }: { id: string; title: string }) => client.task.restore.mutate({ organizationId, id }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "created", task }),
    onError: (error, { title }) =>
      showToast({ title: `Could not restore “${title}”`, description: errorMessage(error) }),
  });
}
