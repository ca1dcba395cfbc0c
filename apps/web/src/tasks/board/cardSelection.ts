import { useSyncExternalStore } from "react";

/** The selected cards of a board, outside the board's state: a change renders only the affected cards. */
export class CardSelection {
  #ids: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The selected ids; another set after each change. */
  readonly ids = (): ReadonlySet<string> => this.#ids;

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  toggle(id: string): void {
    this.#set(this.#ids.has(id) ? this.#without(id) : [...this.#ids, id]);
  }

  /** Extends the selection to the next card. Back over selected cards, takes the last one out. */
  extend(from: string, to: string): void {
    const isBack = this.#ids.has(from) && this.#ids.has(to);
    this.#set(isBack ? this.#without(from) : [...this.#ids, from, to]);
  }

  clear(): void {
    if (this.#ids.size > 0) this.#set([]);
  }

  #without(id: string): string[] {
    return [...this.#ids].filter((each) => each !== id);
  }

  #set(ids: Iterable<string>): void {
    this.#ids = new Set(ids);
    for (const listener of this.#listeners) listener();
  }
}

export const useIsSelected = (selection: CardSelection, id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.has(id));

export const useSelectedIds = (selection: CardSelection): ReadonlySet<string> =>
  useSyncExternalStore(selection.subscribe, selection.ids);
