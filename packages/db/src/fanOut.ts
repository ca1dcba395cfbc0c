import type { Log } from "./log";
import { ALL_KEYS, type Channel, type NotifierEvent, type NotifierListener } from "./notifier";

/** Delivers in memory the announcements that reach this process. */
export class FanOut {
  readonly #listeners = new Map<string, Set<NotifierListener>>();
  readonly #reconnect = new Set<() => void>();
  readonly #log: Log;
  readonly counts = { heard: new Map<string, number>(), sent: new Map<string, number>(), reconnects: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void {
    const address = `${channel} ${key}`;
    const listeners = this.#listeners.get(address) ?? new Set();
    // The same function may be subscribed twice, and each subscription ends separately.
    const wrapped: NotifierListener = (event) => listener(event);
    listeners.add(wrapped);
    this.#listeners.set(address, listeners);
    return () => {
      if (listeners.delete(wrapped) && listeners.size === 0) this.#listeners.delete(address);
    };
  }

  onReconnect(listener: () => void): () => void {
    const wrapped = () => listener();
    this.#reconnect.add(wrapped);
    return () => this.#reconnect.delete(wrapped);
  }

  /** @param isOwn whether this process has sent it */
  deliver(channel: string, payload: string, isOwn: boolean): void {
    increment(this.counts.heard, channel);
    if (isOwn) increment(this.counts.sent, channel);
    const end = payload.indexOf(" ");
    const key = end === -1 ? payload : payload.slice(0, end);
    const event: NotifierEvent = { kind: "notification", key, detail: payload.slice(key.length + 1) };
    for (const address of [key, ALL_KEYS])
      for (const listener of [...(this.#listeners.get(`${channel} ${address}`) ?? [])])
        this.#call(() => listener(event));
  }

  resync(): void {
    this.counts.reconnects++;
    for (const listener of [...this.#reconnect]) this.#call(listener);
    for (const listener of [...this.#listeners.values()].flatMap((listeners) => [...listeners]))
      this.#call(() => listener({ kind: "resync" }));
  }

  /** An error of one listener must affect neither the other listeners nor the connection. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error({ err: error }, "a notification listener threw");
    }
  }
}

const increment = (counts: Map<string, number>, channel: string) =>
  counts.set(channel, (counts.get(channel) ?? 0) + 1);
