import type { OrganizationEvent } from "@grove/schemas";
import type { Port } from "./hub";
import type { StreamMessage, Subscription } from "./hubMessages";
import type { OpenStreams } from "./openStream";

/** Shorter interruptions are not reported: a stream ends every 15 minutes, and when the API is updated. */
const GRACE_MS = 5_000;
const RETRY_MS = 2_000;
const REFUSED_RETRY_MS = 15_000;

/** One organization's stream, shared by the tabs that follow it. The stream closes after the last tab. */
export class OrganizationStream {
  readonly #open: OpenStreams["organization"];
  readonly #subscription: Subscription;
  /** Each tab, and whether `ready` was sent to it. */
  readonly #ports = new Map<Port, boolean>();
  #close: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #lastEventId: string | undefined;
  /** The server's version; undefined until the stream is ready, and while it is broken. */
  #version: string | undefined;
  #brokenSince: number | null = null;
  /** False for a stream that has neither failed nor sent an event: a proxy may be buffering it. */
  #hasFailed = false;

  constructor(open: OpenStreams["organization"], subscription: Subscription) {
    this.#open = open;
    this.#subscription = subscription;
    this.#begin();
  }

  add(port: Port): void {
    this.#ports.set(port, false);
    if (this.#version !== undefined) this.#sendReady(port, true, this.#version);
    else if (this.#brokenSince !== null) port.postMessage(this.#state());
  }

  /**
   * Removes a tab, and closes the stream after the last one.
   * @returns whether it was the last one
   */
  delete(port: Port): boolean {
    this.#ports.delete(port);
    if (this.#ports.size > 0) return false;
    this.#end();
    return true;
  }

  #begin(): void {
    this.#hasFailed = false;
    this.#awaitReady();
    this.#close = this.#open(this.#subscription, this.#lastEventId, {
      onEvent: (event, id) => this.#onEvent(event, id),
      onBreak: () => this.#onBreak(),
      onEnd: (refused) => {
        if (this.#ports.size === 0) return;
        this.#onBreak();
        if (refused) this.#send({ type: "refused" });
        this.#timer = setTimeout(() => this.#begin(), refused ? REFUSED_RETRY_MS : RETRY_MS);
      },
    });
  }

  #end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#close();
  }

  #onEvent(event: OrganizationEvent, id: string): void {
    this.#lastEventId = id;
    if (event.type !== "ready") {
      this.#send({ type: "change", change: event });
      return;
    }
    clearTimeout(this.#grace);
    this.#grace = undefined;
    this.#brokenSince = null;
    this.#version = event.version;
    for (const [port, wasReady] of this.#ports)
      this.#sendReady(port, event.missed || !wasReady, event.version);
  }

  #onBreak(): void {
    this.#version = undefined;
    this.#hasFailed = true;
    this.#awaitReady();
  }

  /** Reports the stream as broken unless it is ready soon. */
  #awaitReady(): void {
    if (this.#grace !== undefined) return;
    const since = Date.now();
    this.#grace = setTimeout(() => {
      this.#brokenSince = since;
      this.#send(this.#state());
    }, GRACE_MS);
  }

  #state(): StreamMessage {
    return { type: "state", brokenSince: this.#brokenSince, isSilent: !this.#hasFailed };
  }

  #sendReady(port: Port, missed: boolean, version: string): void {
    this.#ports.set(port, true);
    port.postMessage({ type: "ready", missed, version });
    port.postMessage({ type: "state", brokenSince: null, isSilent: false });
  }

  #send(message: StreamMessage): void {
    for (const port of this.#ports.keys()) port.postMessage(message);
  }
}
