import type { Task } from "@grove/schemas";
import { type KeyboardEvent, type RefObject, useState } from "react";
import type { TaskMenuKind } from "../taskMenu";
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
import type { CardSelection } from "./cardSelection";
import type { LiftedCard } from "./useLiftedCard";

interface BoardKeysOptions {
  tasks: Task[];
  columns: Column[];
  cards: Cards;
  lifted: LiftedCard | undefined;
  setLifted: (card: LiftedCard | undefined) => void;
  selection: CardSelection;
  board: RefObject<HTMLElement | null>;
  move: (move: Move, from: Position) => void;
  undo: () => void;
  openMenu: (id: string, kind: TaskMenuKind, anchor: HTMLElement) => void;
  onNew: () => void;
}

const menus: Record<string, TaskMenuKind> = { s: "status", p: "priority", a: "assignee" };

/** Keyboard control of the focused card, with announcements for screen readers. */
export function useBoardKeys(options: BoardKeysOptions) {
  const { tasks, columns, cards, lifted, setLifted, selection, board, move, undo, openMenu, onNew } = options;
  const [announcement, setAnnouncement] = useState("");

  /** Describes a position, for example "In progress, 2 of 7". */
  function describe(position: Move): string {
    const column = columns.find(({ status }) => status.key === position.status);
    const isCounted = column?.tasks.some(({ id }) => id === position.id) ?? false;
    const total = (column?.total ?? 0) + (isCounted ? 0 : 1);
    return `${column?.status.name ?? position.status}, ${cardsAbove(cards, position) + 1} of ${total}`;
  }

  function handleLiftedKey(key: string, card: LiftedCard, title: string): boolean {
    const next = adjacentPosition(cards, card, key);
    if (next !== undefined) {
      setLifted({ ...card, ...next });
      setAnnouncement(`${title}: ${describe({ ...card, ...next })}.`);
    } else if (key === " " || key === "Enter") {
      setLifted(undefined);
      move(card, card.from);
      setAnnouncement(`${title}: dropped. ${describe(card)}.`);
    } else if (key === "Escape") {
      setLifted(undefined);
      setAnnouncement(`${title}: move canceled.`);
    } else if (key === "Tab") {
      setLifted(undefined);
      return false;
    } else return key.startsWith("Arrow");
    return true;
  }

  function handleCardKey({ key, shiftKey }: KeyboardEvent, task: Task, link: HTMLElement): boolean {
    const next = cardAt(
      cards.map(({ ids }) => ids),
      task.id,
      key,
    );
    const position = positionOf(cards, task.id);
    if (next !== undefined) {
      if (shiftKey && key.startsWith("Arrow")) selection.extend(task.id, next);
      board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus();
    } else if (key === "x") selection.toggle(task.id);
    else if (key === " " && position) {
      const card = { id: task.id, ...position, from: position };
      setLifted(card);
      setAnnouncement(
        `${task.title}: picked up. ${describe(card)}. Arrow keys move it, Space drops it, Escape cancels.`,
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
    const isHandled =
      lifted?.id === task.id ? handleLiftedKey(key, lifted, task.title) : handleCardKey(event, task, target);
    if (isHandled) event.preventDefault();
  }
  return { onKeyDown, announcement };
}
