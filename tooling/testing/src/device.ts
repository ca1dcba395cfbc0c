/** An event of a device's stream. */
interface StreamEvent {
  readonly type: string;
}

interface Heartbeat extends StreamEvent {
  readonly epoch: number;
  readonly n: number;
}

/** How a device reaches the API: with a client, or with bare requests. */
export interface DeviceWire<Event extends StreamEvent> {
  /** Opens the device's stream, and returns the function that closes it. `onEnd` gets the error, if there is one. */
  open(onEvent: (event: Event) => void, onEnd: (error?: unknown) => void): () => void;
  /** Calls `agent.heartbeat`. */
  heartbeat(answer: { epoch: number; beat: number; running: string[] }): Promise<unknown>;
}

export interface DeviceOptions<Event extends StreamEvent> {
  readonly answersHeartbeats?: boolean;
  /** Whether `events` has the events; false for a device that gets very many. */
  readonly keepsEvents?: boolean;
  onEvent?(event: Event): void;
}

export interface FakeDevice<Event extends StreamEvent> {
  readonly events: Event[];
  /** Resolves when the API has taken the answer to a heartbeat, and so counts the device as online. */
  readonly online: Promise<void>;
  /** Resolves when the stream has ended, with the error if there was one. */
  readonly ended: Promise<unknown>;
  /** Resolves with the first matching event, past or future. */
  event<Type extends Event["type"]>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  disconnect(): void;
}

/**
 * Connects a device as the API sees it: it follows its stream and answers heartbeats. Its user decides what it
 * does with commands. It does not reconnect.
 */
export function connectFakeDevice<Event extends StreamEvent>(
  wire: DeviceWire<Event>,
  { answersHeartbeats = true, keepsEvents = true, onEvent }: DeviceOptions<Event> = {},
): FakeDevice<Event> {
  const events: Event[] = [];
  const waiting = new Set<(event: Event) => boolean>();
  let cameOnline = () => {};
  const online = new Promise<void>((resolve) => {
    cameOnline = resolve;
  });
  let disconnect = () => {};
  const ended = new Promise<unknown>((resolve) => {
    const receive = (event: Event) => {
      if (keepsEvents) events.push(event);
      for (const recheck of [...waiting]) recheck(event);
      // A heartbeat that fails does not matter, since the next one comes soon.
      if (answersHeartbeats && isHeartbeat(event))
        wire.heartbeat({ epoch: event.epoch, beat: event.n, running: [] }).then(cameOnline, () => undefined);
      onEvent?.(event);
    };
    disconnect = wire.open(receive, resolve);
  });
  return {
    events,
    online,
    ended,
    disconnect: () => disconnect(),
    event: (type, fits = () => true) =>
      new Promise((resolve) => {
        const recheck = (event: Event) => {
          if (!isOf(type, event) || !fits(event)) return false;
          waiting.delete(recheck);
          resolve(event);
          return true;
        };
        if (!events.some(recheck)) waiting.add(recheck);
      }),
  };
}

const isHeartbeat = (event: StreamEvent): event is Heartbeat => event.type === "beat";

const isOf = <Event extends StreamEvent, Type extends Event["type"]>(
  type: Type,
  event: Event,
): event is Extract<Event, { type: Type }> => event.type === type;
