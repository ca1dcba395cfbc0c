import type { Task, TaskStatus } from "@grove/schemas";
import { type KeyboardEvent, type RefObject, useState } from "react";
import type { Kind } from "./taskMenu";
import { cardAt, columnBeside } from "./walk";

interface Lifted {
  id: string;
  status: string;
}

interface Keys {
  tasks: Task[];
  statuses: TaskStatus[];
  /** The ids of the cards on the screen, by column. */
  ids: string[][];
  lifted: Lifted | undefined;
  setLifted: (lifted: Lifted | undefined) => void;
  board: RefObject<HTMLElement | null>;
  move: (id: string, status: string) => void;
  openMenu: (id: string, kind: Kind, anchor: HTMLElement) => void;
  onNew: () => void;
}

const menus: Record<string, Kind> = { s: "status", p: "priority", a: "assignee" };

/** The keys of the board. They work on the card that has the focus, and what they do is said aloud. */
export function useBoardKeys({
  tasks,
  statuses,
  ids,
  lifted,
  setLifted,
  board,
  move,
  openMenu,
  onNew,
}: Keys) {
  const [announcement, setAnnouncement] = useState("");
  const nameOfStatus = (key: string) => statuses.find((status) => status.key === key)?.name ?? key;

  function liftedKey(key: string, { id, status }: Lifted, title: string): boolean {
    const beside = columnBeside(
      statuses.map((one) => one.key),
      status,
      key,
    );
    if (beside !== undefined) {
      setLifted({ id, status: beside });
      setAnnouncement(`${title}: ${nameOfStatus(beside)}.`);
    } else if (key === " " || key === "Enter") {
      setLifted(undefined);
      move(id, status);
      setAnnouncement(`${title}: dropped in ${nameOfStatus(status)}.`);
    } else if (key === "Escape") {
      setLifted(undefined);
      setAnnouncement(`${title}: put back.`);
    } else if (key === "Tab") {
      setLifted(undefined);
      return false;
    } else return key.startsWith("Arrow");
    return true;
  }

  function plainKey(key: string, task: Task, link: HTMLElement): boolean {
    const next = cardAt(ids, task.id, key);
    if (next !== undefined) board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus();
    else if (key === " ") {
      setLifted({ id: task.id, status: task.status });
      setAnnouncement(
        `${task.title}: lifted from ${nameOfStatus(task.status)}. Left and right move it, Space drops it, Escape puts it back.`,
      );
    } else if (menus[key]) openMenu(task.id, menus[key], link);
    else if (key === "n") onNew();
    else return key.startsWith("Arrow");
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLAnchorElement)) return;
    const task = tasks.find(({ id }) => id === target.closest<HTMLElement>("[data-task]")?.dataset.task);
    if (!task) return;
    const isDone = lifted?.id === task.id ? liftedKey(key, lifted, task.title) : plainKey(key, task, target);
    if (isDone) event.preventDefault();
  }
  return { onKeyDown, announcement };
}
