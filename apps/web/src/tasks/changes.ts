import type { Task } from "@grove/schemas";
import { useMutation, useMutationState } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { client } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { wordsOf } from "../ui/problem";
import { say } from "../ui/toast";
import type { TaskChange } from "./merge";
import type { Move, Place } from "./place";

const changing = ["change a task"];
const deleting = ["delete a task"];
const moving = ["move a task"];

/** The changes that the API has not answered yet, oldest first. */
export const usePendingChanges = (): TaskChange[] =>
  useMutationState({
    filters: { mutationKey: changing, status: "pending" },
    select: ({ state }) => state.variables as TaskChange,
  });

/** The ids of the tasks that are being deleted. */
export const usePendingDeletions = (): string[] =>
  useMutationState({
    filters: { mutationKey: deleting, status: "pending" },
    select: ({ state }) => (state.variables as Task).id,
  });

/** Changes a task. The screen shows it before the API answers; after a refusal it goes back, and a message says why. */
export function useChangeTask(): (task: Task, fields: TaskChange["fields"]) => void {
  const { id: organizationId } = useOrganization();
  const change = useMutation({
    mutationKey: changing,
    mutationFn: ({ id, fields }: TaskChange & { title: string }) =>
      client.task.update.mutate({ organizationId, id, ...fields }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "updated", task }),
    onError: (error, { title }) => say({ title: `“${title}” was not changed`, description: wordsOf(error) }),
  });
  return ({ id, title }, fields) => change.mutate({ id, title, fields });
}

/** A card on its way to another place. */
interface Moved extends Move {
  title: string;
  from: Place;
}

/** The moves that the API has not answered yet, oldest first. */
export const usePendingMoves = (): Move[] =>
  useMutationState({
    filters: { mutationKey: moving, status: "pending" },
    select: ({ state }) => state.variables as Moved,
  });

/** The last move, until it is taken back. */
let last: { takeBack: () => void; closeMessage: () => void } | undefined;

/** Takes the last move back. */
export function undoMove(): void {
  const move = last;
  last = undefined;
  move?.closeMessage();
  move?.takeBack();
}

/** Moves a card, and offers to take that back. The screen shows it before the API answers, as with other changes. */
export function useMoveTask(): (move: Moved) => void {
  const { id: organizationId } = useOrganization();
  const options = {
    mutationKey: moving,
    // One after the other: a card may be put below one that is on its way.
    scope: { id: organizationId },
    mutationFn: ({ id, status, after }: Moved) =>
      client.task.move.mutate({ organizationId, id, status, ...(after !== undefined && { after }) }),
    onError: (error: Error, { title }: Moved) => {
      say({ title: `“${title}” was not moved`, description: wordsOf(error) });
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
        closeMessage: say({ title: `“${title}” is moved`, action: { title: "Undo", onSelect: undoMove } }),
        takeBack: () => back.mutate({ id, title, ...from, from: to }),
      };
    },
  });
  return move.mutate;
}

/** Deletes a task, and offers to take it back. */
export function useDeleteTask(): (task: Task) => void {
  const { id: organizationId } = useOrganization();
  const restore = useRestoreTask();
  const remove = useMutation({
    mutationKey: deleting,
    mutationFn: ({ id }: Task) => client.task.delete.mutate({ organizationId, id }),
    onSuccess: (_, task) => {
      applyTaskChange(organizationId, { type: "deleted", task });
      say({
        title: `“${task.title}” is deleted`,
        description: "For 30 days, its address offers to restore it.",
        action: { title: "Undo", onSelect: () => restore.mutate(task) },
      });
    },
    onError: (error, { title }) => say({ title: `“${title}” was not deleted`, description: wordsOf(error) }),
  });
  return remove.mutate;
}

/** Brings a deleted task back. */
export function useRestoreTask() {
  const { id: organizationId } = useOrganization();
  return useMutation({
    mutationFn: ({ id }: { id: string; title: string }) => client.task.restore.mutate({ organizationId, id }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "created", task }),
    onError: (error, { title }) => say({ title: `“${title}” was not restored`, description: wordsOf(error) }),
  });
}
