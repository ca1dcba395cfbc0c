import type { OrganizationEvent } from "@grove/schemas";
import type { Port } from "./hub";
import type { Look, News } from "./messages";
import type { OpenStream } from "./stream";

/** Breaks that are shorter are not told: a stream ends every fifteen minutes, and when the API is updated. */
const GRACE_MS = 5_000;
const AGAIN_MS = 2_000;
const REFUSED_AGAIN_MS = 15_000;

/** One organization's stream, and the tabs that look at it. It is open from the first tab to the last. */
export class OrganizationStream {
  readonly #open: OpenStream;
  readonly #look: Look;
  /** Each tab, and whether it has been told that it is ready. */
  readonly #ports = new Map<Port, boolean>();
  #close: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #lastEventId: string | undefined;
  /** The server's version, while the stream is open and complete. */
  #version: string | undefined;
  #brokenSince: number | null = null;
  /** Whether the stream that was opened last has failed. Otherwise it is silent: a proxy may gather its events. */
  #hasFailed = false;

  constructor(open: OpenStream, look: Look) {
    this.#open = open;
    this.#look = look;
    this.#begin();
  }

  add(port: Port): void {
    this.#ports.set(port, false);
    if (this.#version !== undefined) this.#tellReady(port, true, this.#version);
    else if (this.#brokenSince !== null) port.postMessage(this.#state());
  }

  /** @returns whether no tab is left, which ends the stream */
  delete(port: Port): boolean {
    this.#ports.delete(port);
    if (this.#ports.size > 0) return false;
    this.#end();
    return true;
  }

  #begin(): void {
    this.#hasFailed = false;
    this.#awaitReady();
    this.#close = this.#open(this.#look, this.#lastEventId, {
      onEvent: (event, id) => this.#onEvent(event, id),
      onBreak: () => this.#onBreak(),
      onEnd: (refused) => {
        if (this.#ports.size === 0) return;
        this.#onBreak();
        if (refused) this.#tell({ type: "refused" });
        this.#timer = setTimeout(() => this.#begin(), refused ? REFUSED_AGAIN_MS : AGAIN_MS);
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
      this.#tell({ type: "change", change: event });
      return;
    }
    clearTimeout(this.#grace);
    this.#grace = undefined;
    this.#brokenSince = null;
    this.#version = event.version;
    for (const [port, wasReady] of this.#ports)
      this.#tellReady(port, event.missed || !wasReady, event.version);
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
      this.#tell(this.#state());
    }, GRACE_MS);
  }

  #state(): News {
    return { type: "state", brokenSince: this.#brokenSince, isSilent: !this.#hasFailed };
  }

  #tellReady(port: Port, missed: boolean, version: string): void {
    this.#ports.set(port, true);
    port.postMessage({ type: "ready", missed, version });
    port.postMessage({ type: "state", brokenSince: null, isSilent: false });
  }

  #tell(message: News): void {
    for (const port of this.#ports.keys()) port.postMessage(message);
  }
}
