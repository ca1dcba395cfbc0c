/** A source of a session's output. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Lets several consumers pause one flow. It resumes when no consumer pauses it. */
export class SharedFlow {
  readonly #pausedFlows = new Set<Flow>();
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Returns the flow for one more consumer. */
  share(): Flow {
    const share: Flow = {
      pause: () => {
        if (this.#pausedFlows.size === 0) this.#flow.pause();
        this.#pausedFlows.add(share);
      },
      resume: () => {
        if (this.#pausedFlows.delete(share) && this.#pausedFlows.size === 0) this.#flow.resume();
      },
    };
    return share;
  }
}
