import type { Task } from "@grove/schemas";
import { type KeyboardEvent, type RefObject, useState } from "react";
import type { Column } from "./order";
import { type Cards, cardsAbove, type Move, type Place, placeBeside, placeOf } from "./place";
import type { Kind } from "./taskMenu";
import { cardAt } from "./walk";

/** A card that is moved by keys, and the place where it was. */
export interface Lifted extends Move {
  from: Place;
}

interface Keys {
  tasks: Task[];
  columns: Column[];
  /** The cards on the screen. */
  cards: Cards;
  lifted: Lifted | undefined;
  setLifted: (lifted: Lifted | undefined) => void;
  board: RefObject<HTMLElement | null>;
  move: (move: Move, from: Place) => void;
  undo: () => void;
  openMenu: (id: string, kind: Kind, anchor: HTMLElement) => void;
  onNew: () => void;
}

const menus: Record<string, Kind> = { s: "status", p: "priority", a: "assignee" };

/** The keys of the board. They work on the card that has the focus, and what they do is said aloud. */
export function useBoardKeys(keys: Keys) {
  const { tasks, columns, cards, lifted, setLifted, board, move, undo, openMenu, onNew } = keys;
  const [announcement, setAnnouncement] = useState("");

  /** "In progress, 2 of 7" */
  function wordsOf(at: Move): string {
    const column = columns.find(({ status }) => status.key === at.status);
    const isThere = column?.tasks.some(({ id }) => id === at.id) ?? false;
    const total = (column?.total ?? 0) + (isThere ? 0 : 1);
    return `${column?.status.name ?? at.status}, ${cardsAbove(cards, at) + 1} of ${total}`;
  }

  function liftedKey(key: string, held: Lifted, title: string): boolean {
    const next = placeBeside(cards, held, key);
    if (next !== undefined) {
      setLifted({ ...held, ...next });
      setAnnouncement(`${title}: ${wordsOf({ ...held, ...next })}.`);
    } else if (key === " " || key === "Enter") {
      setLifted(undefined);
      move(held, held.from);
      setAnnouncement(`${title}: dropped. ${wordsOf(held)}.`);
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
    const next = cardAt(
      cards.map(({ ids }) => ids),
      task.id,
      key,
    );
    const place = placeOf(cards, task.id);
    if (next !== undefined) board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus();
    else if (key === " " && place) {
      const held = { id: task.id, ...place, from: place };
      setLifted(held);
      setAnnouncement(
        `${task.title}: lifted. ${wordsOf(held)}. Arrow keys move it, Space drops it, Escape puts it back.`,
      );
    } else if (menus[key]) openMenu(task.id, menus[key], link);
    else if (key === "n") onNew();
    else return key.startsWith("Arrow");
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.altKey || !(target instanceof HTMLAnchorElement)) return;
    if (event.ctrlKey || event.metaKey) {
      if (key !== "z" || event.shiftKey) return;
      event.preventDefault();
      undo();
      return;
    }
    const task = tasks.find(({ id }) => id === target.closest<HTMLElement>("[data-task]")?.dataset.task);
    if (!task) return;
    const isDone = lifted?.id === task.id ? liftedKey(key, lifted, task.title) : plainKey(key, task, target);
    if (isDone) event.preventDefault();
  }
  return { onKeyDown, announcement };
}
