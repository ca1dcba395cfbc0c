import { DELETED_TASK_DAYS, type Task } from "@grove/schemas";
import { useMutation, useMutationState } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { client } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { pluralize } from "../ui/pluralize";
import { errorMessage } from "../ui/problem";
import { showToast } from "../ui/showToast";
import type { Move } from "./board/boardPosition";
import type { ReversibleMove } from "./board/selectedMoves";
import type { TaskChange } from "./optimisticTask";

/** The keys of mutations whose changes are shown before the API answers. Their variables are one change or several. */
export const changing = ["change a task"];
export const deleting = ["delete a task"];
const moving = ["move a task"];

/** Updates in flight, oldest first. */
export const usePendingChanges = (): TaskChange[] =>
  useMutationState({
    filters: { mutationKey: changing, status: "pending" },
    select: ({ state }) => state.variables as TaskChange | TaskChange[],
  }).flat();

/** Ids of the tasks with a deletion in flight. */
export const usePendingDeletions = (): string[] =>
  useMutationState({
    filters: { mutationKey: deleting, status: "pending" },
    select: ({ state }) => [state.variables as Task | Task[]].flat().map(({ id }) => id),
  }).flat();

/**
 * Updates a task optimistically. Updates run one after the other, so that the last one wins. If the API refuses, the
 * change is rolled back and a toast shows the reason.
 */
export function useChangeTask(): (task: Task, fields: TaskChange["fields"]) => void {
  const { id: organizationId } = useOrganization();
  const change = useMutation({
    mutationKey: changing,
    scope: { id: `tasks ${organizationId}` },
    mutationFn: ({ id, fields }: TaskChange & { title: string }) =>
      client.task.update.mutate({ organizationId, id, ...fields }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "updated", task }),
    onError: (error, { title }) =>
      showToast({ title: `Could not change “${title}”`, description: errorMessage(error) }),
  });
  return ({ id, title }, fields) => change.mutate({ id, title, fields });
}

/**
 * Changes the description that the user sees, optimistically. Changes run one after the other, and none overwrites a
 * text that the user has not seen.
 */
export function useChangeDescription(): (task: Task, description: string) => void {
  const { id: organizationId } = useOrganization();
  const show = (task: Task) => applyTaskChange(organizationId, { type: "updated", task });
  const change = useMutation({
    mutationKey: changing,
    scope: { id: `tasks ${organizationId}` },
    mutationFn: async ({ id, fields, seen }: TaskChange & { seen: string | null }) => {
      const latest = await client.task.get.query({ organizationId, id });
      if (latest.description !== seen) {
        show(latest);
        throw new Error("Someone else changed the description. Read it, and try again.");
      }
      return client.task.update.mutate({ organizationId, id, ...fields });
    },
    onSuccess: show,
    onError: (error) =>
      showToast({ title: "Could not change the description", description: errorMessage(error) }),
  });
  return ({ id, description: seen }, description) => change.mutate({ id, fields: { description }, seen });
}

/** A move, with the task's title for the toast. */
interface Moved extends ReversibleMove {
  title: string;
}

/** Moves in flight, oldest first. */
export const usePendingMoves = (): Move[] =>
  useMutationState({
    filters: { mutationKey: moving, status: "pending" },
    select: ({ state }) => state.variables as Moved[],
  }).flat();

/** The last move, until it is undone. */
let last: { undo: () => void; closeMessage: () => void } | undefined;

export function undoMove(): void {
  const move = last;
  last = undefined;
  move?.closeMessage();
  move?.undo();
}

const subjectOf = (moves: Moved[]): string =>
  moves.length === 1 ? `“${moves[0]?.title}”` : pluralize(moves.length, "task");

/** Moves cards optimistically, in order, and offers one undo. */
export function useMoveTasks(): (moves: Moved[]) => void {
  const { id: organizationId } = useOrganization();
  const options = {
    mutationKey: moving,
    // Moves run one after the other: the card above may itself have a move in flight.
    scope: { id: organizationId },
    mutationFn: async (moves: Moved[]) => {
      for (const { id, status, after } of moves) {
        const position = { status, ...(after !== undefined && { after }) };
        const task = await client.task.move.mutate({ organizationId, id, ...position });
        applyTaskChange(organizationId, { type: "updated", task });
      }
    },
    onError: (error: Error, moves: Moved[]) => {
      showToast({ title: `Could not move ${subjectOf(moves)}`, description: errorMessage(error) });
    },
  };
  const back = useMutation(options);
  const move = useMutation({
    ...options,
    onSuccess: (_, moves) => {
      last?.closeMessage();
      const title = `Moved ${subjectOf(moves)}`;
      last = {
        closeMessage: showToast({ title, action: { title: "Undo", onSelect: undoMove } }),
        undo: () =>
          back.mutate(moves.map(({ id, title, from, ...to }) => ({ id, title, ...from, from: to }))),
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
        description: `You can restore it from its page for ${DELETED_TASK_DAYS} days.`,
        action: { title: "Undo", onSelect: () => restore.mutate(task) },
      });
    },
    onError: (error, { title }) =>
      showToast({ title: `Could not delete “${title}”`, description: errorMessage(error) }),
  });
  return remove.mutate;
}

export function useRestoreTask() {
  const { id: organizationId } = useOrganization();
  return useMutation({
    mutationFn: ({ id }: { id: string; title: string }) => client.task.restore.mutate({ organizationId, id }),
    onSuccess: (task) => applyTaskChange(organizationId, { type: "created", task }),
    onError: (error, { title }) =>
      showToast({ title: `Could not restore “${title}”`, description: errorMessage(error) }),
  });
}
