interface Envelope<Event> {
  id: string;
  data: Event;
}

interface Handlers<Event> {
  onData(envelope: Envelope<Event>): void;
  onError(error: unknown): void;
}

export interface Watcher<Event> {
  /** The events so far, with the ids to resume at. */
  events: Envelope<Event>[];
  /** Resolves with the first matching event, past or future; rejects when the subscription ends with an error. */
  event(fits: (event: Event) => boolean): Promise<Envelope<Event>>;
  /** Resolves once the subscription reports that it is up to date. */
  ready(): Promise<Envelope<Event>>;
  stop(): void;
}

/**
 * Collects the events of a resumable subscription: `watch((handlers) => client.task.watch.subscribe(input, handlers))`.
 */
export function watch<Event extends { type: string }>(
  subscribe: (handlers: Handlers<Event>) => { unsubscribe(): void },
): Watcher<Event> {
  const events: Envelope<Event>[] = [];
  const waiting = new Set<() => void>();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const subscription = subscribe({
    onData: (envelope) => {
      events.push(envelope);
      for (const recheck of [...waiting]) recheck();
    },
    onError: (error) => fail(error),
  });
  const event: Watcher<Event>["event"] = (fits) => {
    const found = new Promise<Envelope<Event>>((resolve) => {
      const recheck = () => {
        const matching = events.find(({ data }) => fits(data));
        if (!matching) return;
        waiting.delete(recheck);
        resolve(matching);
      };
      waiting.add(recheck);
      recheck();
    });
    return Promise.race([found, failed]);
  };
  return {
    events,
    event,
    ready: () => event(({ type }) => type === "ready"),
    stop: () => subscription.unsubscribe(),
  };
}
