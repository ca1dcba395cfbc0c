import type { Task } from "@grove/schemas";
import { type KeyboardEvent, type RefObject, useState } from "react";
import type { Column } from "./boardColumns";
import { cardAt } from "./boardNavigation";
import {
  adjacentPosition,
  type Cards,
  cardsAbove,
  type Move,
  type Position,
  positionOf,
} from "./boardPosition";
import type { Kind } from "./taskMenu";

/** A card that is being moved by keyboard, and its original position. */
export interface Lifted extends Move {
  from: Position;
}

interface Keys {
  tasks: Task[];
  columns: Column[];
  /** The rendered cards. */
  cards: Cards;
  lifted: Lifted | undefined;
  setLifted: (lifted: Lifted | undefined) => void;
  board: RefObject<HTMLElement | null>;
  move: (move: Move, from: Position) => void;
  undo: () => void;
  openMenu: (id: string, kind: Kind, anchor: HTMLElement) => void;
  onNew: () => void;
}

const menus: Record<string, Kind> = { s: "status", p: "priority", a: "assignee" };

/** Keyboard control of the focused card, with announcements for screen readers. */
export function useBoardKeys(keys: Keys) {
  const { tasks, columns, cards, lifted, setLifted, board, move, undo, openMenu, onNew } = keys;
  const [announcement, setAnnouncement] = useState("");

  /** Describes a position, for example "In progress, 2 of 7". */
  function describe(at: Move): string {
    const column = columns.find(({ status }) => status.key === at.status);
    const isCounted = column?.tasks.some(({ id }) => id === at.id) ?? false;
    const total = (column?.total ?? 0) + (isCounted ? 0 : 1);
    return `${column?.status.name ?? at.status}, ${cardsAbove(cards, at) + 1} of ${total}`;
  }

  function liftedKey(key: string, held: Lifted, title: string): boolean {
    const next = adjacentPosition(cards, held, key);
    if (next !== undefined) {
      setLifted({ ...held, ...next });
      setAnnouncement(`${title}: ${describe({ ...held, ...next })}.`);
    } else if (key === " " || key === "Enter") {
      setLifted(undefined);
      move(held, held.from);
      setAnnouncement(`${title}: dropped. ${describe(held)}.`);
    } else if (key === "Escape") {
      setLifted(undefined);
      setAnnouncement(`${title}: move cancelled.`);
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
    const position = positionOf(cards, task.id);
    if (next !== undefined) board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus();
    else if (key === " " && position) {
      const held = { id: task.id, ...position, from: position };
      setLifted(held);
      setAnnouncement(
        `${task.title}: lifted. ${describe(held)}. Arrow keys move it, Space drops it, Escape cancels.`,
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
