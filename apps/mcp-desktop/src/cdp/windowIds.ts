/** Short names of windows for a model: w1, w2, … Each belongs to one target of the app and is never reused. */
export class WindowIds {
  readonly #ids = new Map<string, string>();

  of(targetId: string): string {
    const id = this.#ids.get(targetId) ?? `w${this.#ids.size + 1}`;
    this.#ids.set(targetId, id);
    return id;
  }
}
