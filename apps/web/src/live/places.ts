/** A view of a terminal on a page. */
interface View {
  id: string;
  /** Tells the page whether the view has a place. */
  tell: (has: boolean) => void;
}

/**
 * The places for terminals that are visible in any tab. Each has a connection of its own, and a browser has six for all
 * tabs. Further views wait until a place is free, or until a person prefers one of them.
 */
export class Places {
  readonly #most: number;
  /** The view that has had its place for the longest time is the first. */
  readonly #shown: View[] = [];
  readonly #waiting: View[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** How many views have a place. */
  get taken(): number {
    return this.#shown.length;
  }

  /** Gives a view a place as soon as one is free. */
  ask(view: View): void {
    this.#waiting.push(view);
    this.#fill();
    if (this.#waiting.includes(view)) view.tell(false);
  }

  /** Gives a waiting view a place now. The view that has had one for the longest time waits instead. */
  take(id: string): void {
    const view = this.#waiting.find((each) => each.id === id);
    if (!view) return;
    remove(this.#waiting, view);
    const oldest = this.#shown.length >= this.#most ? this.#shown.shift() : undefined;
    if (oldest) {
      this.#waiting.push(oldest);
      oldest.tell(false);
    }
    this.#shown.push(view);
    view.tell(true);
  }

  /** Forgets a view that is gone or hidden. */
  leave(id: string): void {
    for (const list of [this.#shown, this.#waiting]) {
      const view = list.find((each) => each.id === id);
      if (view) remove(list, view);
    }
    this.#fill();
  }

  #fill(): void {
    while (this.#shown.length < this.#most) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#shown.push(next);
      next.tell(true);
    }
  }
}

function remove<Item>(list: Item[], item: Item): void {
  list.splice(list.indexOf(item), 1);
}
