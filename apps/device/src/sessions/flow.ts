/** Where a session's output flows from. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Lets several hold up one flow: it flows while none of them does. */
export class SharedFlow {
  readonly #holding = new Set<Flow>();

  constructor(private readonly flow: Flow) {}

  /** The flow, for one more who may hold it up. */
  share(): Flow {
    const share: Flow = {
      pause: () => {
        if (this.#holding.size === 0) this.flow.pause();
        this.#holding.add(share);
      },
      resume: () => {
        if (this.#holding.delete(share) && this.#holding.size === 0) this.flow.resume();
      },
    };
    return share;
  }
}
