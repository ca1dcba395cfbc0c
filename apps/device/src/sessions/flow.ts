/** A source of a session's output. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Lets several consumers pause one flow. It resumes when no consumer pauses it. */
export class SharedFlow {
  readonly #holding = new Set<Flow>();
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Returns the flow for one more consumer. */
  share(): Flow {
    const share: Flow = {
      pause: () => {
        if (this.#holding.size === 0) this.#flow.pause();
        this.#holding.add(share);
      },
      resume: () => {
        if (this.#holding.delete(share) && this.#holding.size === 0) this.#flow.resume();
      },
    };
    return share;
  }
}
