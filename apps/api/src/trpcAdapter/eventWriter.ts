import type { ServerResponse } from "node:http";
import { appRouter } from "../router";
import type { Context } from "../trpc/context";

/** A caller that reads nothing for this long is cut off; it reconnects, and resumes where it was. */
export const UNREAD_MS = 30_000;

const { ping } = appRouter._def._config.sse ?? {};

/** Writes the events of one stream to its connection, and a ping whenever nothing else was sent for a while. */
export class EventWriter {
  readonly #raw: ServerResponse;
  readonly #signal: AbortSignal;
  readonly #unreadMs: number;
  readonly #ended: Promise<unknown> | undefined;
  readonly #pinging: NodeJS.Timeout;
  #flushed = () => {};

  /** @param signal aborted when the stream is over */
  constructor(raw: ServerResponse, signal: AbortSignal, { state, services }: Context) {
    this.#raw = raw;
    this.#signal = signal;
    this.#unreadMs = services.config.unreadMs ?? UNREAD_MS;
    this.#ended = state.ended;
    raw.on("drain", () => this.#flushed());
    signal.addEventListener("abort", () => this.#flushed(), { once: true });
    this.#pinging = setTimeout(() => {
      this.write(eventOf("ping", ""));
      this.#pinging.refresh();
    }, ping?.intervalMs);
  }

  /** Writes an event without waiting for the caller to read it. */
  write(event: string): void {
    this.#raw.write(event);
  }

  /** Writes an event. Resolves when the caller has read enough for the next one, or the stream is over. */
  async send(event: string): Promise<void> {
    this.#pinging.refresh();
    // Nothing more is written until the caller has read this.
    if (this.#raw.write(event) || this.#signal.aborted) return;
    const drained = new Promise<void>((resolve) => {
      this.#flushed = resolve;
    });
    const cutOff = setTimeout(() => this.#raw.destroy(), this.#unreadMs);
    try {
      // A stream ends with its credential even while its caller does not read.
      await (this.#ended ? Promise.race([drained, this.#ended]) : drained);
    } finally {
      clearTimeout(cutOff);
    }
  }

  close(): void {
    clearTimeout(this.#pinging);
    this.#raw.end();
    if (this.#raw.closed) return;
    // The caller may still read what was written, but not forever.
    const cutOff = setTimeout(() => this.#raw.destroy(), this.#unreadMs);
    this.#raw.once("close", () => clearTimeout(cutOff));
  }
}

/** An event in the format of server-sent events. */
export const eventOf = (name: string, data: string, id?: string): string =>
  `event: ${name}\ndata: ${data}\n${id === undefined ? "" : `id: ${id}\n`}\n\n`;
