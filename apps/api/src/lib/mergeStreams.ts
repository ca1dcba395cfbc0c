/**
 * Yields the events of several streams in the order in which they arrive. A stream gets its next turn after all others
 * that have an event, and at most one event of each is held.
 * @throws {Error} the first error of any stream
 */
export async function* mergeStreams<Event>(
  streams: readonly AsyncGenerator<Event, void>[],
): AsyncGenerator<Event, void> {
  const arrived: { stream: AsyncGenerator<Event, void>; next: Promise<IteratorResult<Event, void>> }[] = [];
  let onArrival = () => {};
  const request = (stream: AsyncGenerator<Event, void>) => {
    const next = stream.next();
    const onSettled = () => {
      arrived.push({ stream, next });
      onArrival();
    };
    next.then(onSettled, onSettled);
  };
  streams.forEach(request);
  let open = streams.length;
  try {
    while (open > 0) {
      // Not `Promise.race`: a stream without events would collect a reaction for each event of the others.
      if (arrived.length === 0)
        await new Promise<void>((resolve) => {
          onArrival = resolve;
        });
      for (const { stream, next } of arrived.splice(0)) {
        const result = await next;
        if (result.done) open--;
        else {
          yield result.value;
          request(stream);
        }
      }
    }
  } finally {
    // Not awaited: a stream that waits for an announcement returns only after that.
    for (const stream of streams) stream.return().catch(() => undefined);
  }
}
