/** A terminal that is visible on a page. */
interface View {
  id: string;
  /** Notifies the page when the view gets a slot or loses it. */
  onSlot: (hasSlot: boolean) => void;
}

/**
 * The slots for terminals that are visible in any tab. Each terminal keeps a connection open, and a browser has six for
 * all tabs. Further views wait until a slot is free, or until the user takes one for them.
 */
export class TerminalSlots {
  readonly #max: number;
  /** The view that has had its slot the longest is the first. */
  readonly #shown: View[] = [];
  readonly #waiting: View[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get taken(): number {
    return this.#shown.length;
  }

  /** Gives a view a slot as soon as one is free. */
  request(view: View): void {
    this.#waiting.push(view);
    this.#fill();
    if (this.#waiting.includes(view)) view.onSlot(false);
  }

  /** Gives a waiting view a slot immediately. The view that has had one the longest waits instead. */
  take(id: string): void {
    const view = this.#waiting.find((each) => each.id === id);
    if (!view) return;
    remove(this.#waiting, view);
    const oldest = this.#shown.length >= this.#max ? this.#shown.shift() : undefined;
    if (oldest) {
      this.#waiting.push(oldest);
      oldest.onSlot(false);
    }
    this.#shown.push(view);
    view.onSlot(true);
  }

  /** Removes a view that was closed or hidden, and gives its slot to the next one. */
  release(id: string): void {
    for (const list of [this.#shown, this.#waiting]) {
      const view = list.find((each) => each.id === id);
      if (view) remove(list, view);
    }
    this.#fill();
  }

  #fill(): void {
    while (this.#shown.length < this.#max) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#shown.push(next);
      next.onSlot(true);
    }
  }
}

function remove<Item>(list: Item[], item: Item): void {
  list.splice(list.indexOf(item), 1);
}
